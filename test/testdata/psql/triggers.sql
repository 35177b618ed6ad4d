-- Triggers on workspaces: rows, statements, transition tables, deferred ones.
CREATE WORKSPACE 'trg_src';
CREATE WORKSPACE 'trg_log';
CREATE FUNCTION mark() RETURNS trigger AS $$
BEGIN
    IF (TG_OP = 'INSERT') THEN
        INSERT INTO trg_log (path, node_type, name, properties)
        VALUES ('/i' || NEW.name, TG_ARGV[0], TG_OP, jsonb_build_object('p', NEW.path));
    ELSIF (TG_OP = 'DELETE') THEN
        INSERT INTO trg_log (path, node_type, name, properties)
        VALUES ('/d' || OLD.name, TG_ARGV[0], TG_OP, jsonb_build_object('p', OLD.path, 'argv', TG_ARGV[1]));
    ELSIF (TG_OP = 'UPDATE') THEN
        IF (OLD.* IS DISTINCT FROM NEW.*) THEN
            INSERT INTO trg_log (path, node_type, name, properties)
            VALUES ('/n' || NEW.name, TG_ARGV[0], TG_OP, NEW.properties), ('/o' || OLD.name, TG_ARGV[0], TG_OP, OLD.properties);
        END IF;
    END IF;
    RETURN NULL;
END;
$$ LANGUAGE plpgsql;
CREATE TRIGGER m AFTER INSERT OR UPDATE OR DELETE ON trg_src FOR EACH ROW EXECUTE FUNCTION mark('a');
CREATE TRIGGER m AFTER INSERT ON trg_src FOR EACH ROW EXECUTE FUNCTION mark('a');
INSERT INTO trg_src (path, node_type, name, properties) VALUES ('/a', 't', 'a', '{"x":1}'), ('/b', 't', 'b', '{"x":2}');
UPDATE trg_src SET properties = '{"x":3}' WHERE path = '/a';
DELETE FROM trg_src WHERE path = '/b';
SELECT path, node_type, name, properties FROM trg_log ORDER BY path;
CREATE FUNCTION bef() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.name = 'skip' THEN RETURN NULL; END IF;
  NEW.name := upper(NEW.name);
  RAISE NOTICE '% % % % % %', TG_NAME, TG_WHEN, TG_LEVEL, TG_OP, TG_TABLE_NAME, pg_trigger_depth();
  RETURN NEW;
END $$;
CREATE TRIGGER b BEFORE INSERT OR UPDATE OF name ON trg_src FOR EACH ROW WHEN (NEW.name <> 'nope') EXECUTE PROCEDURE bef();
INSERT INTO trg_src (path, node_type, name, properties) VALUES ('/c', 't', 'skip', '{}'), ('/d', 't', 'dd', '{}'), ('/e', 't', 'nope', '{}') RETURNING path, name;
CREATE FUNCTION stm() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  SELECT count(*) INTO n FROM newt;
  RAISE NOTICE 'stm % rows %', n, TG_LEVEL;
  RETURN NULL;
END $$;
CREATE TRIGGER s AFTER INSERT ON trg_src REFERENCING NEW TABLE AS newt FOR EACH STATEMENT EXECUTE FUNCTION stm();
INSERT INTO trg_src (path, node_type, name, properties) SELECT '/g' || g, 't', 'nope', '{}' FROM generate_series(1,3) g;
ALTER TABLE trg_src DISABLE TRIGGER m;
DROP FUNCTION mark();
DROP TRIGGER nope ON trg_src;
DROP FUNCTION mark() CASCADE;
SELECT bef();
CREATE CONSTRAINT TRIGGER ct AFTER INSERT ON trg_src DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bef();
BEGIN;
INSERT INTO trg_src (path, node_type, name, properties) VALUES ('/k', 't', 'nope', '{}');
SELECT 'before commit';
COMMIT;
CREATE FUNCTION badt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO trg_log (path, node_type, name, properties) VALUES ('/zz', 'x', 'x', NEW.geom);
  RETURN NEW;
END $$;
CREATE TRIGGER bt BEFORE DELETE ON trg_src FOR EACH ROW EXECUTE FUNCTION badt();
DELETE FROM trg_src;
