// Command raisind serves spatial data of things that move over the PostgreSQL
// protocol. It reads flags and environment into one configuration, wires the
// parts, and starts and stops them in order; it decides nothing else.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is the program's version; a release build sets it.
var version = "0.1.0-dev"

type cli struct {
	Serve   serveCmd   `cmd:"" help:"Serve until SIGTERM or SIGINT."`
	Demo    demoCmd    `cmd:"" help:"Serve a bundled real fleet that moves, and print statements to try."`
	Check   checkCmd   `cmd:"" help:"Compare the rows and the index entries of a stopped store."`
	Docs    docsCmd    `cmd:"" hidden:"" help:"Write the generated parts of the documentation."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// logging says where and how much is logged.
type logging struct {
	LogLevel  string `help:"Least severe message logged: ${enum}." enum:"debug,info,warn,error" default:"info" env:"RAISIN_LOG_LEVEL"`
	LogFormat string `help:"Form of log lines: ${enum}." enum:"text,json" default:"text" env:"RAISIN_LOG_FORMAT"`
}

func (l logging) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.LogLevel)); err != nil {
		return nil, err
	}
	opt := &slog.HandlerOptions{Level: level}
	if l.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opt)), nil
	}
	return slog.New(slog.NewTextHandler(w, opt)), nil
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run() error {
	fmt.Printf("raisind %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

func main() {
	var c cli
	k := kong.Parse(&c, kong.Name("raisind"),
		kong.Description("A spatial database server for things that move, speaking the PostgreSQL protocol."),
		kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	k.BindTo(ctx, (*context.Context)(nil))
	if err := k.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "raisind:", err)
		stop()
		os.Exit(1)
	}
}
