package catalog

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"raisind/spatialidx"
	"raisind/sql/types"
)

// SpatialConfig are the declared policies of a relation's spatial index.
type SpatialConfig struct {
	// Default holds for every property without an override of its own.
	Default *PolicyOverride
	// Properties are overrides by property path, or by column name of a table.
	Properties map[string]*PolicyOverride
}

// PolicyOverride declares some fields of a policy; what is nil comes from the
// wider scope: property, then relation, then server.
type PolicyOverride struct {
	Precisions []int                 `json:"precisions,omitempty"` // finest first
	Cover      *spatialidx.CoverKind `json:"cover,omitempty"`
	SRID       *int32                `json:"srid,omitempty"`
	// Bucket names a sibling property, such as a floor, that splits what lies at one place.
	Bucket *string `json:"bucket,omitempty"`
}

// Scope is where a policy was declared.
type Scope uint8

// The scopes, widest first.
const (
	ServerDefault Scope = iota
	WorkspaceDefault
	PropertyOverride
)

// String is what SHOW SPATIAL INDEX CONFIG prints.
func (s Scope) String() string {
	return [...]string{"server default", "workspace default", "property override"}[s]
}

// EffectivePolicy is a policy with every field decided.
type EffectivePolicy struct {
	spatialidx.Policy
	// SRID is 0 when nobody declared one: stored geometries say theirs.
	SRID   int32
	Bucket string
	// Declared is the narrowest scope that declared any field.
	Declared Scope
}

// Clone returns a copy that shares nothing.
func (c SpatialConfig) Clone() SpatialConfig {
	n := SpatialConfig{Default: c.Default.clone(), Properties: make(map[string]*PolicyOverride, len(c.Properties))}
	for k, v := range c.Properties {
		n.Properties[k] = v.clone()
	}
	return n
}

func (o *PolicyOverride) clone() *PolicyOverride {
	if o == nil {
		return nil
	}
	c := *o
	c.Precisions = slices.Clone(o.Precisions)
	return &c
}

// Override returns the declared fields of one scope, property "" being the
// relation's default; nil when nothing is declared.
func (c SpatialConfig) Override(property string) *PolicyOverride {
	if property == "" {
		return c.Default
	}
	return c.Properties[property]
}

// Set declares the fields of one scope, nil taking the declaration back.
func (c *SpatialConfig) Set(property string, o *PolicyOverride) {
	switch {
	case property == "":
		c.Default = o
	case o == nil:
		delete(c.Properties, property)
	default:
		if c.Properties == nil {
			c.Properties = map[string]*PolicyOverride{}
		}
		c.Properties[property] = o
	}
}

// Merge returns o with the fields of by declared over its own.
func (o *PolicyOverride) Merge(by *PolicyOverride) *PolicyOverride {
	n := o.clone()
	if n == nil {
		n = &PolicyOverride{}
	}
	if by.Precisions != nil {
		n.Precisions = slices.Clone(by.Precisions)
	}
	if by.Cover != nil {
		n.Cover = by.Cover
	}
	if by.SRID != nil {
		n.SRID = by.SRID
	}
	if by.Bucket != nil {
		n.Bucket = by.Bucket
	}
	return n
}

// Policy returns the policy a property is indexed under and where it was declared.
// Elements of an array (stops.3.geo) share the override of stops[].geo.
func (r *Relation) Policy(property string) (spatialidx.Policy, Scope) {
	e := r.EffectivePolicy(property)
	return e.Policy, e.Declared
}

// EffectivePolicy is Policy with the fields that do not steer cells.
func (r *Relation) EffectivePolicy(property string) EffectivePolicy {
	e := EffectivePolicy{Policy: spatialidx.Policy{Precisions: spatialidx.DefaultPrecisions, Cover: spatialidx.Centroid}}
	e.apply(r.Spatial.Default, WorkspaceDefault)
	if len(r.Spatial.Properties) > 0 {
		o, ok := r.Spatial.Properties[property]
		if !ok {
			o = r.Spatial.Properties[CollapseElements(property)]
		}
		e.apply(o, PropertyOverride)
	}
	return e
}

func (e *EffectivePolicy) apply(o *PolicyOverride, s Scope) {
	if o == nil {
		return
	}
	if o.Precisions != nil {
		e.Precisions, e.Declared = o.Precisions, s
	}
	if o.Cover != nil {
		e.Cover, e.Declared = *o.Cover, s
	}
	if o.SRID != nil {
		e.SRID, e.Declared = *o.SRID, s
	}
	if o.Bucket != nil {
		e.Bucket, e.Declared = *o.Bucket, s
	}
}

// normalizerVersion is part of every policy hash: it changes when the same policy
// comes to mean other cells.
const normalizerVersion = 1

// NormalizerVersion is the version of the rules that turn geometries into cells.
func NormalizerVersion() int { return normalizerVersion }

// Hash identifies the policy: equal text for equal policies, on every node.
func (e EffectivePolicy) Hash() string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d|%v|%d|%d|%s", normalizerVersion, e.Precisions, e.Cover, e.SRID, e.Bucket)
	return fmt.Sprintf("%016x", h.Sum64())
}

// AppendPathKey appends one object key to the path that names an indexed property:
// stops.0.geo. A dot or backslash within a key is escaped by a backslash; so is a key
// that looks like an array index, and the empty key is \e.
func AppendPathKey(path []byte, key string) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	switch {
	case IsPlainPathKey(key):
		return append(path, key...)
	case key == "":
		return append(path, `\e`...)
	case isIndex(key):
		return append(append(path, '\\'), key...)
	}
	for i := range len(key) {
		if key[i] == '.' || key[i] == '\\' {
			path = append(path, '\\')
		}
		path = append(path, key[i])
	}
	return path
}

// AppendPathIndex appends an array index to a path.
func AppendPathIndex(path []byte, i int) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	return strconv.AppendInt(path, int64(i), 10)
}

// IsPlainPathKey reports whether a key stands for itself in a path.
func IsPlainPathKey(key string) bool {
	return key != "" && !isIndex(key) && !strings.ContainsAny(key, `.\`)
}

func isIndex(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// CollapseElements replaces the array indexes of a path: stops.3.geo becomes stops[].geo.
func CollapseElements(path string) string {
	if !strings.Contains(path, ".") {
		return path
	}
	parts := strings.Split(path, ".")
	out := parts[:1]
	for _, p := range parts[1:] {
		if isIndex(p) {
			out[len(out)-1] += "[]"
		} else {
			out = append(out, p)
		}
	}
	return strings.Join(out, ".")
}

// IsGeometryColumn reports whether a column's values go to the spatial index.
func (c *Column) IsGeometryColumn() bool {
	return c.Type == types.TGeometry || c.Type == types.TGeography
}
