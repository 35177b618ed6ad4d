package keys

import "fmt"

// Catalog is the key of one version of a catalog record.
//
//	+----+-----------------+-----------+
//	| 63 | key             | ^revision |
//	| 1B | escaped, closed | 8B        |
//	+----+-----------------+-----------+
//	| prefix               | suffix    |
type Catalog struct {
	Key      []byte
	Revision Revision
}

const catalogHeadLen = 1

// Append appends the key.
func (k Catalog) Append(dst []byte) []byte {
	return AppendRevision(AppendCatalogPrefix(dst, k.Key), k.Revision)
}

// String prints catalog/"relation/7"@1712000000000.0.
func (k Catalog) String() string { return fmt.Sprintf("catalog/%q@%v", k.Key, k.Revision) }

// AppendCatalogPrefix appends what all versions of a record start with.
func AppendCatalogPrefix(dst, key []byte) []byte {
	return append(AppendCatalogBound(dst, key), escapeByte, closeByte)
}

// AppendCatalogBound appends what all records whose keys start with prefix start with.
func AppendCatalogBound(dst, prefix []byte) []byte {
	return appendEscaped(append(dst, CatalogFamily), prefix)
}

// DecodeCatalog takes a catalog key apart. Key is a part of the argument, or built in buf[:0] when it
// holds zero bytes.
func DecodeCatalog(buf, key []byte) (Catalog, error) {
	n := len(key) - revisionLen
	if n < catalogHeadLen+closeLen || key[0] != CatalogFamily {
		return Catalog{}, corrupt("catalog key", key)
	}
	text, ok := unescape(buf, key[catalogHeadLen:n])
	if !ok {
		return Catalog{}, corrupt("catalog key", key)
	}
	return Catalog{Key: text, Revision: RevisionOf(key[n:])}, nil
}
