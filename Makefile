# raisind: every task a developer or CI runs. `make help` lists them.
SHELL := /bin/bash
export CGO_ENABLED ?= 0

.PHONY: help run build test test-postgres race check format vet lint bench fuzz cases clients docs clean test-postgis

help: ## list the tasks
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## serve a bundled real fleet that moves, and print statements to try
	go run ./cmd/raisind demo

build: ## build ./raisind
	go build -trimpath -o raisind ./cmd/raisind

test: ## run all tests
	go test ./...

test-postgres: ## compare with a PostgreSQL 15: make test-postgres RAISIND_TEST_POSTGRES='host=… user=…'
	@[ -n "$$RAISIND_TEST_POSTGRES" ] || { echo "RAISIND_TEST_POSTGRES is the connection string of a PostgreSQL 15" >&2; exit 1; }
	go test ./test -count=1 -run 'TestSQL'

race: ## run all tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race -short ./...

check: format vet lint ## format, vet, static analysis, package arrows, docs up to date
	go test ./test/house

format:
	@out=$$(cd tools && go tool gofumpt -l ..); if [ -n "$$out" ]; then echo "not formatted (run: cd tools && go tool gofumpt -w ..):"; echo "$$out"; exit 1; fi

vet:
	go vet ./...

lint:
	cd tools && go build -o ../.bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	./.bin/staticcheck ./...

bench: ## benchmarks beside the code, with keys/op and bytes/op
	go test -run '^$$' -bench . -benchmem ./storage/... ./spatialidx ./geom ./sql/... ./wire ./session ./relation

hotcell: ## a million updates in one cell, pruned and not, and 20 kills: takes many minutes, writes docs/hotcell.svg
	RAISIND_HOTCELL=$(CURDIR)/docs go test ./test -run 'TestHotCell' -count=1 -timeout 60m -v

FUZZTIME ?= 20s
fuzz: ## every fuzz target for FUZZTIME
	@set -e; for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

cases: ## the SQL and protocol cases that must pass, when their folder is there
	.ci/cases

clients: ## the real clients that must pass, when their folder is there
	.ci/clients

POSTGIS ?= postgres://postgres@127.0.0.1:5432/postgres
test-postgis: ## record what PostGIS at POSTGIS answers on the shapes of the corpus
	cd sql/funcs/testdata/postgis && gunzip -c shapes.tsv.gz | psql -qX -v ON_ERROR_STOP=1 -f record.sql "$(POSTGIS)" | gzip -9 -n > answers.new
	cd sql/funcs/testdata/postgis && mv answers.new answers.tsv.gz

docs: ## write the generated parts of docs/
	go run ./cmd/raisind docs --dir docs

clean:
	rm -rf raisind .bin
