-- A first hour with a fleet: create, insert, update, radius, nearest, box.
CREATE WORKSPACE 'psql_fleet';
INSERT INTO 'psql_fleet' (path, node_type, name, properties) VALUES
  ('/van-17', 'fleet:Van', 'van-17', '{"position": {"type": "Point", "coordinates": [13.4050, 52.5200]}, "state": "free"}'),
  ('/van-18', 'fleet:Van', 'van-18', '{"position": {"type": "Point", "coordinates": [13.4100, 52.5210]}, "state": "busy"}'),
  ('/van-19', 'fleet:Van', 'van-19', '{"position": {"type": "Point", "coordinates": [13.5000, 52.6000]}, "state": "free"}');
UPDATE 'psql_fleet' SET properties = properties || '{"state": "charging"}' WHERE path = '/van-18';
UPDATE 'psql_fleet' SET properties = '{"position": {"type": "Point", "coordinates": [13.4060, 52.5205]}}'::jsonb WHERE path = '/van-17';
UPDATE 'psql_fleet' SET properties = '{}' WHERE path = '/nobody';
SELECT path, round(__distance) AS metres FROM 'psql_fleet'
  WHERE ST_DWithin(properties->'position', ST_Point(13.4050, 52.5200), 500) ORDER BY __distance;
SELECT name FROM psql_fleet ORDER BY properties->'position' <-> ST_Point(13.49, 52.59) LIMIT 2;
SELECT name FROM "psql_fleet" WHERE ST_Within(properties->'position', ST_MakeEnvelope(13.40, 52.51, 13.42, 52.53, 4326)) ORDER BY name;
SELECT path, version, properties->>'state' AS state FROM 'psql_fleet' ORDER BY path;
EXPLAIN SELECT path FROM 'psql_fleet' WHERE ST_DWithin(properties->'position', ST_Point(13.4050, 52.5200), 500);
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT path FROM 'psql_fleet' WHERE ST_DWithin(properties->'position', ST_Point(13.4050, 52.5200), 500) AND name <> 'van-18';
EXPLAIN SELECT path FROM 'psql_fleet' ORDER BY properties->'position' <-> ST_Point(13.49, 52.59) LIMIT 2;
EXPLAIN SELECT path FROM 'psql_fleet' WHERE ST_DWithin(properties->'position', ST_Point(13.4050, 52.5200), 5000000);
EXPLAIN SELECT path FROM 'psql_fleet' WHERE path = '/van-17';
BEGIN;
DELETE FROM 'psql_fleet' WHERE name = 'van-19';
SELECT count(*) FROM 'psql_fleet';
ROLLBACK;
SELECT count(*), min(name), max(version), sum(version), avg(version) FROM 'psql_fleet';
DROP WORKSPACE 'psql_fleet';
