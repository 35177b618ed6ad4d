-- Functions, procedures and DO blocks: what PostgreSQL 15 answers, with its errors and CONTEXT lines.
CREATE FUNCTION amb(x int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT x FROM (SELECT 1 AS x) t);
END $$;
SELECT amb(2);
CREATE FUNCTION amb2(x int) RETURNS int LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN (SELECT x FROM (SELECT 1 AS x) t);
END $$;
SELECT amb2(2);
CREATE FUNCTION nr() RETURNS int LANGUAGE plpgsql AS $$ BEGIN END $$;
SELECT nr();
CREATE FUNCTION e1() RETURNS int LANGUAGE plpgsql AS $$
DECLARE a int := 'x';
BEGIN RETURN a; END $$;
SELECT e1();
CREATE FUNCTION e2() RETURNS int LANGUAGE plpgsql AS $$
DECLARE a int NOT NULL := 1;
BEGIN a := NULL; RETURN a; END $$;
SELECT e2();
CREATE FUNCTION e3() RETURNS int LANGUAGE plpgsql AS $$
DECLARE a int;
BEGIN SELECT 1 INTO STRICT a WHERE false; RETURN a; END $$;
SELECT e3();
CREATE FUNCTION e4() RETURNS int LANGUAGE plpgsql AS $$
BEGIN IF nosuchfn(1) THEN RETURN 1; END IF; RETURN 2; END $$;
SELECT e4();
CREATE FUNCTION e5() RETURNS int LANGUAGE plpgsql AS $$
BEGIN EXECUTE 'SELECT 1 +'; RETURN 2; END $$;
SELECT e5();
CREATE FUNCTION e6() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int; s text; m text; d text; h text; c text;
BEGIN
  BEGIN
    RAISE EXCEPTION 'xx %', 1 USING DETAIL = 'dd', HINT = 'hh', ERRCODE = 'unique_violation';
  EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT, d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT, c = PG_EXCEPTION_CONTEXT;
    RAISE NOTICE '% % % % [%]', s, m, d, h, c;
    RAISE;
  END;
END $$;
SELECT e6();
CREATE FUNCTION e7() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  ASSERT 1 = 2, 'nope';
END $$;
SELECT e7();
CREATE FUNCTION e8() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  x := 1;
END $$;
CREATE FUNCTION e9() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    RETURN 1;
END $$;
CREATE FUNCTION e10() RETURNS int LANGUAGE plpgsql AS $$
DECLARE x nosuchtype;
BEGIN
    RETURN 1;
END $$;
CREATE FUNCTION e11() RETURNS nosuchtype LANGUAGE plpgsql AS $$
BEGIN
    RETURN 1;
END $$;
CREATE FUNCTION e12() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    SELECT 1;
END $$;
SELECT e12();
CREATE FUNCTION outer1() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    PERFORM e12();
    RETURN 1;
END $$;
SELECT outer1();
CREATE FUNCTION sqlbad() RETURNS int LANGUAGE sql AS $$ SELECT nosuch $$;
CREATE FUNCTION sqlbad2() RETURNS int LANGUAGE sql AS $$ SELECT 'a'::text $$;
CREATE FUNCTION sqlbad3(a int) RETURNS int LANGUAGE sql AS $$ SELECT a / 0 $$;
SELECT nosuch(1);
CREATE FUNCTION e1() RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE OR REPLACE FUNCTION e1() RETURNS text LANGUAGE sql AS 'SELECT ''a''::text';
DO $$ BEGIN RAISE WARNING 'w'; RAISE INFO 'i'; RAISE NOTICE USING MESSAGE = 'mm'; RAISE division_by_zero; END $$;
DO $$ BEGIN RAISE SQLSTATE '12345'; END $$;
DO $$ BEGIN RAISE NOTICE 'a % b', 1, 2; END $$;
DO $$ BEGIN RAISE NOTICE 'a % b'; END $$;
DO $$ DECLARE r record; BEGIN RAISE NOTICE '%', r.a; END $$;
DO $$ DECLARE r record; BEGIN SELECT 1 AS a, 2 AS b INTO r; r.b := 7; RAISE NOTICE '% %', r, r.b; RAISE NOTICE '%', r.c; END $$;
DO $$ BEGIN CASE 5 WHEN 1 THEN NULL; END CASE; END $$;
DO $$ BEGIN EXIT; END $$;
DO $$ BEGIN FOR i IN REVERSE 5..1 BY 2 LOOP RAISE NOTICE '%', i; END LOOP; END $$;
DO $$ BEGIN FOR i IN 1..3 LOOP CONTINUE WHEN i = 2; RAISE NOTICE '%', i; END LOOP; END $$;
DO LANGUAGE plpgsql $$ DECLARE x int := 3; BEGIN DECLARE x int := 4; BEGIN RAISE NOTICE '%', x; END; RAISE NOTICE '%', x; END $$;
DO $$ <<b>> DECLARE x int := 3; BEGIN DECLARE x int := 4; BEGIN RAISE NOTICE '% %', x, b.x; END; END $$;
CREATE FUNCTION vf(VARIADIC a int[]) RETURNS int LANGUAGE plpgsql AS $$ DECLARE s int := 0; i int; BEGIN FOREACH i IN ARRAY a LOOP s := s + i; END LOOP; RETURN s; END $$;
SELECT vf(1,2,3);
CREATE FUNCTION rs() RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT 1, 'a'::text; END $$;
SELECT * FROM rs() AS t(a int, b text);
SELECT * FROM rs();
CREATE FUNCTION st(a int) RETURNS int LANGUAGE plpgsql STRICT AS $$ BEGIN RETURN 1; END $$;
SELECT st(NULL);
CREATE FUNCTION cur() RETURNS refcursor LANGUAGE plpgsql AS $$ DECLARE c refcursor := 'cc'; BEGIN OPEN c FOR SELECT generate_series(1,3) g; RETURN c; END $$;
BEGIN; SELECT cur(); FETCH 2 FROM cc; COMMIT;
CREATE FUNCTION bits() RETURNS text LANGUAGE plpgsql SET work_mem = '8MB' AS $$ BEGIN RETURN current_setting('work_mem'); END $$;
SELECT bits(), current_setting('work_mem') <> '8MB';
ALTER FUNCTION bits() RENAME TO bits2;
SELECT bits2();
CREATE PROCEDURE pp(a int, OUT b int) LANGUAGE plpgsql AS $$ BEGIN b := a * 2; END $$;
CALL pp(4, NULL);
SELECT pp(4);
CALL st(1);
CREATE FUNCTION atom(a int) RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT a + 1; END;
SELECT atom(1);
