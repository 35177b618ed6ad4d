package define

import (
	"strconv"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// createTableAs is CREATE TABLE AS of a query; the tag counts its rows.
func (e *Env) createTableAs(s *ast.CreateTableAs) (tag string, err error) {
	sel, ok := s.Query.(*ast.Select)
	if !ok {
		return "", pgerr.New(pgerr.FeatureNotSupported, "CREATE TABLE AS EXECUTE is not supported").
			WithHint("Write the query itself behind AS.")
	}
	sel, text, err := plainText(sel)
	if err != nil {
		return "", err
	}
	schema, err := e.Target(s.Name, s.Temp)
	if err != nil {
		return "", err
	}
	if s.IfNotExists && e.snapshot().NameTaken(schema, s.Name.Name) {
		e.notice(pgerr.DuplicateTable, "relation %q already exists, skipping", s.Name.Name)
		return "CREATE TABLE AS", nil
	}
	if s.OnCommit != "" && s.OnCommit != "preserve rows" {
		return "", pgerr.New(pgerr.FeatureNotSupported, "CREATE TABLE AS with ON COMMIT is not supported").
			WithHint("Create the table first, then INSERT … SELECT.")
	}
	q, err := e.settle(s, sel, s.Columns, text)
	if err != nil {
		return "", err
	}
	r := e.Cat.Catalog().NewRelation(catalog.Table, schema, s.Name.Name)
	r.Owner = e.Role
	addColumns(r, q.Columns)
	if err := e.Txn.LockRelation(e.Ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
		return "", err
	}
	if err := e.Cat.Create(e.Ctx, r); err != nil {
		return "", err
	}
	if s.NoData {
		return "CREATE TABLE AS", nil
	}
	filled := r.Clone()
	filled.Query = &catalog.Query{SQL: q.SQL}
	n, err := e.Fill(filled)
	return "SELECT " + strconv.Itoa(n), err
}
