// Package tiles turns extents into addresses of XYZ tiles on the Web Mercator
// grid. It promises never to leave a tile out: borders are closed, a buffer is a
// part of a tile at each zoom, and extents across the antimeridian or beyond the
// latitudes of Web Mercator are cut where the grid ends. An extent that means
// nothing is an error, never an empty list. Memory grows with the number of
// extents, not of tiles. Rendering, and telling caches, is left to others.
package tiles
