package types

// varlenaHeader is what PostgreSQL adds to the typmod of types of variable length.
const varlenaHeader = 4
