// Command raisin-tiles keeps tiles up to date with a spatial database. It speaks
// the PostgreSQL protocol alone, so that raisind and PostGIS serve it alike.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is the program's version; a release build sets it.
var version = "0.1.0-dev"

type cli struct {
	Expand  expandCmd  `cmd:"" help:"Print the tiles that an extent dirties, a z/x/y line each."`
	Once    onceCmd    `cmd:"" help:"Render the tiles of all pending extents, then end."`
	Sweep   sweepCmd   `cmd:"" help:"Give the extents of workers that died back to the queue."`
	Status  statusCmd  `cmd:"" help:"Print what is pending, at work and left to purge."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run() error {
	fmt.Printf("raisin-tiles %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// separate puts "--" before the first argument that is a negative number where no flag
// expects a value, so that coordinates need none.
func separate(args []string, takesValue map[string]bool) []string {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--":
			return args
		case takesValue[a]:
			i++ // the next argument is the flag's
		case len(a) > 1 && a[0] == '-':
			if _, err := strconv.ParseFloat(a, 64); err == nil {
				return spread(args, i, takesValue)
			}
		}
	}
	return args
}

// spread moves the numbers from args[i] on, with those before it, behind a "--", and
// leaves the flags in front: flags may stand between and behind numbers.
func spread(args []string, i int, takesValue map[string]bool) []string {
	flags := append([]string(nil), args[:i]...)
	var rest []string
	for ; i < len(args); i++ {
		a := args[i]
		_, err := strconv.ParseFloat(a, 64)
		if err != nil && len(a) > 1 && a[0] == '-' {
			flags = append(flags, a)
			if takesValue[a] && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
			continue
		}
		rest = append(rest, a)
	}
	return append(append(flags, "--"), rest...)
}

// valued lists the flags that take a value in an argument of their own.
func valued(k *kong.Kong) map[string]bool {
	out := map[string]bool{}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			if !f.IsBool() {
				out["--"+f.Name] = true
				if f.Short != 0 {
					out["-"+string(f.Short)] = true
				}
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(k.Model.Node)
	return out
}

func main() {
	var c cli
	k := kong.Must(&c, kong.Name("raisin-tiles"),
		kong.Description("Keeps tiles up to date with a spatial database: from dirty extents to rendered tiles and purge lists."),
		kong.UsageOnError(), kong.WithHyphenPrefixedParameters(true), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	run, err := k.Parse(separate(os.Args[1:], valued(k)))
	k.FatalIfErrorf(err)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run.BindTo(ctx, (*context.Context)(nil))
	if err := run.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "raisin-tiles:", err)
		stop()
		os.Exit(1)
	}
}
