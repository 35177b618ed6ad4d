-- Records what PostGIS answers on the shapes of shapes.tsv.gz: function, shape, area, length, positions; or a text.
SET client_min_messages = error;
CREATE TEMP TABLE s (i int, w text);
\copy s from pstdin
CREATE TEMP TABLE g AS SELECT i, w::geometry AS g, ST_IsValid(w::geometry) AS v FROM s;
CREATE FUNCTION pg_temp.m(g geometry) RETURNS text LANGUAGE sql AS $$ SELECT CASE WHEN g IS NULL THEN 'null' ELSE ST_Area(g)::text || ' ' || (ST_Length(g) + ST_Perimeter(g))::text || ' ' || ST_NPoints(g) END $$;
COPY (
SELECT 'st_convexhull', i, pg_temp.m(ST_ConvexHull(g)) FROM g UNION ALL
SELECT 'st_makevalid', i, pg_temp.m(ST_MakeValid(g)) FROM g UNION ALL
SELECT 'st_boundary', i, pg_temp.m(ST_Boundary(g)) FROM g WHERE GeometryType(g) <> 'GEOMETRYCOLLECTION' UNION ALL
SELECT 'st_linemerge', i, pg_temp.m(ST_LineMerge(g)) FROM g WHERE GeometryType(g) LIKE '%LINESTRING' UNION ALL
SELECT 'st_buffer 1', i, pg_temp.m(ST_Buffer(g, 1)) FROM g WHERE v UNION ALL
SELECT 'st_buffer -0.5', i, pg_temp.m(ST_Buffer(g, -0.5)) FROM g WHERE v UNION ALL
SELECT 'st_simplify 0.5', i, pg_temp.m(ST_Simplify(g, 0.5)) FROM g UNION ALL
SELECT 'st_simplifyvw 0.5', i, pg_temp.m(ST_SimplifyVW(g, 0.5)) FROM g UNION ALL
SELECT 'st_snaptogrid 0.5', i, pg_temp.m(ST_SnapToGrid(g, 0.5)) FROM g UNION ALL
SELECT 'st_removerepeatedpoints 1', i, pg_temp.m(ST_RemoveRepeatedPoints(g, 1)) FROM g UNION ALL
SELECT 'st_segmentize 2', i, pg_temp.m(ST_Segmentize(g, 2)) FROM g WHERE ST_XMax(g) - ST_XMin(g) < 200 UNION ALL
SELECT 'st_unaryunion -1', i, pg_temp.m(ST_UnaryUnion(g)) FROM g WHERE v UNION ALL
SELECT 'st_reverse', i, pg_temp.m(ST_Reverse(g)) FROM g UNION ALL
SELECT 'st_forcepolygoncw', i, pg_temp.m(ST_ForcePolygonCW(g)) FROM g UNION ALL
SELECT 'st_assvg 0 3', i, ST_AsSVG(g, 0, 3) FROM g WHERE NOT ST_IsEmpty(g) AND GeometryType(g) NOT LIKE 'MULTIP%' UNION ALL
SELECT 'st_astwkb 2 0 0 f f', i, encode(ST_AsTWKB(g, 2), 'hex') FROM g WHERE NOT ST_IsEmpty(g)
) TO STDOUT;
