package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"raisind/catalog"
	"raisind/relation"
	"raisind/storage"
)

type checkCmd struct {
	DataDir string `help:"Directory of the store." default:"./raisin-data" env:"RAISIN_DATA_DIR" type:"path"`
}

// errDisagree makes the exit status 1 after the report was printed.
var errDisagree = errors.New("rows and index entries disagree: run REBUILD SPATIAL INDEX FOR the workspace named above")

// Run compares rows and entries and prints what it found.
func (c *checkCmd) Run(ctx context.Context) (err error) {
	if _, err := os.Stat(c.DataDir); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no store in %s; name one with --data-dir", c.DataDir)
	}
	db, err := openStore(storage.Options{Dir: c.DataDir, Prune: storage.PruneOptions{Disabled: true}}) // a check removes nothing
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	cat, err := catalog.Load(db)
	if err != nil {
		return err
	}
	ix, err := relation.NewIndexer(db, cat)
	if err != nil {
		return err
	}
	rep, err := relation.Check(ctx, db, cat, ix)
	if err != nil {
		return err
	}
	for _, p := range rep.Problems {
		fmt.Println(p)
	}
	if more := rep.ProblemCount - int64(len(rep.Problems)); more > 0 {
		fmt.Printf("… and %d more\n", more)
	}
	fmt.Printf("%d relations, %d rows, %d unique keys, %d spatial entries, %d problems\n",
		rep.Relations, rep.Rows, rep.UniqueKeys, rep.SpatialEntries, rep.ProblemCount)
	if !rep.OK() {
		return errDisagree
	}
	return nil
}
