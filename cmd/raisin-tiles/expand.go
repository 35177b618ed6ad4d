package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"raisind/tiles"
)

type expandCmd struct {
	Srid     int     `help:"Spatial reference system of the extent." default:"4326"`
	Minzoom  int     `help:"Lowest zoom listed." default:"0"`
	Maxzoom  int     `help:"Highest zoom listed." default:"14"`
	Buffer   float64 `help:"What tiles draw beyond their edge, as a part of a tile's side (0.0625 for 256 of 4096)." default:"0"`
	Metatile int     `help:"Widen the list to blocks of so many tiles on a side." default:"1"`
	Wrap     bool    `help:"Let the buffer go over the antimeridian." default:"true" negatable:""`
	Rfc7946  bool    `name:"rfc7946" help:"Read a west beyond the east as an extent across the antimeridian."`
	Clamp    bool    `help:"Give an extent wholly beyond the latitudes of Web Mercator the row of tiles at its edge, not none."`
	Count    bool    `help:"Print how many tiles there are, and list none."`

	MinX float64 `arg:"" name:"minx" help:"West, or the least x."`
	MinY float64 `arg:"" name:"miny" help:"South, or the least y."`
	MaxX float64 `arg:"" name:"maxx" help:"East, or the greatest x."`
	MaxY float64 `arg:"" name:"maxy" help:"North, or the greatest y."`
}

// Run prints the tiles of an extent.
func (c *expandCmd) Run(ctx context.Context) error {
	set, err := tiles.Options{
		MinZoom: c.Minzoom, MaxZoom: c.Maxzoom, Buffer: c.Buffer, Metatile: c.Metatile,
		NoWrap: !c.Wrap, RFC7946: c.Rfc7946, ClampLatitude: c.Clamp,
	}.Expand(tiles.Extent{MinX: c.MinX, MinY: c.MinY, MaxX: c.MaxX, MaxY: c.MaxY, SRID: c.Srid})
	if err != nil {
		return err
	}
	if c.Count {
		fmt.Println(set.Count())
		return nil
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	var line []byte
	n := 0
	for t := range set.All() {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		line = append(t.Append(line[:0]), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
