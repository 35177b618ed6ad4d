package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"raisind/demo"
)

type demoCmd struct {
	DataDir string  `help:"Directory of the store; by default a temporary one, removed at the end." env:"RAISIN_DATA_DIR" type:"path"`
	Speed   float64 `help:"Recorded seconds replayed in one second." default:"10"`
	serving
}

// progressEvery is how often a line of progress is printed where it cannot be overwritten.
const progressEvery = 10 * time.Second

// Run serves and replays the fleet until ctx ends.
func (c *demoCmd) Run(ctx context.Context) (err error) {
	if c.Speed <= 0 {
		return fmt.Errorf("--speed %v must be positive", c.Speed)
	}
	dir := c.DataDir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "raisind-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	return c.serve(ctx, dir, os.Stderr, c.replay)
}

func (c *demoCmd) replay(ctx context.Context, addr net.Addr) error {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return err
	}
	fmt.Printf("96 vessels move in the Gulf of Finland, %gx as fast as they did. In another terminal:\n\n", c.Speed)
	fmt.Printf("  psql -h %s -p %s -U raisin raisin\n\nand try:\n\n", host, port)
	for _, s := range demo.Statements {
		fmt.Printf("  %s\n", s)
	}
	fmt.Printf("\nInterrupt with Ctrl-C.\n\n")
	terminal := isTerminal(os.Stdout)
	var printed time.Time
	err = demo.Replay(ctx, demo.Options{
		ConnString: fmt.Sprintf("host=%s port=%s user=raisin dbname=raisin sslmode=disable application_name=raisind-demo", host, port),
		Speed:      c.Speed,
		Progress: func(p demo.Progress) {
			switch {
			case terminal:
				fmt.Printf("\r\x1b[K%s", p)
			case time.Since(printed) >= progressEvery:
				printed = time.Now()
				fmt.Println(p)
			}
		},
	})
	if terminal {
		fmt.Println()
	}
	return err
}

// isTerminal reports whether f is a character device, on which a line can be overwritten.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
