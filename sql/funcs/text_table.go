package funcs

import (
	"strings"
	"unicode/utf8"
)

func textFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupText, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	binary := func(f Func) Func {
		f.Group = groupBinary
		return f
	}
	// anew is a function whose text depends on settings and that takes NULLs.
	anew := func(f Func) Func {
		f.Volatility, f.Nulls = Stable, CalledOnNull
		return f
	}
	stable := func(f Func) Func {
		f.Volatility = Stable
		return f
	}
	nullable := func(f Func) Func {
		f.Nulls = CalledOnNull
		return f
	}
	length := textInt(utf8.RuneCountInString)
	size := textInt(func(s string) int { return len(s) })
	bits := textInt(func(s string) int { return 8 * len(s) })
	trims := func(l, r bool) []Overload {
		return []Overload{
			of("text", "text", trim(l, r)), of("text,text", "text", trim(l, r)), of("bytea,bytea", "bytea", trimBytes(l, r)),
		}
	}
	cut := []Overload{
		of("text,int4", "text", substring), of("text,int4,int4", "text", substring),
		of("bytea,int4", "bytea", substringBytes), of("bytea,int4,int4", "bytea", substringBytes),
	}
	hash := func(name, doc, want string, f func(string) string) Func {
		return binary(fn(name, doc, Example{`SELECT left(encode(` + name + `('abc'::bytea), 'hex'), 8)`, want}, of("bytea", "bytea", textFunc(f))))
	}
	return []Func{
		fn("length", "Number of characters, of binary strings bytes.", Example{`SELECT length('jose')`, "4"},
			of("text", "int4", length), of("bpchar", "int4", textInt(bpcharLen)), of("bytea", "int4", size)),
		fn("char_length", "Number of characters.", Example{`SELECT char_length('jose')`, "4"},
			of("text", "int4", length), of("bpchar", "int4", textInt(bpcharLen))),
		fn("character_length", "Number of characters.", Example{`SELECT character_length('jose')`, "4"},
			of("text", "int4", length), of("bpchar", "int4", textInt(bpcharLen))),
		fn("octet_length", "Number of bytes.", Example{`SELECT octet_length('äh')`, "3"},
			of("text", "int4", size), of("bpchar", "int4", size), of("bytea", "int4", size)),
		fn("bit_length", "Number of bits.", Example{`SELECT bit_length('jose')`, "32"}, of("text", "int4", bits), of("bytea", "int4", bits)),
		fn("upper", "Upper case.", Example{`SELECT upper('tom')`, "TOM"}, of("text", "text", textFunc(strings.ToUpper))),
		fn("lower", "Lower case.", Example{`SELECT lower('TOM')`, "tom"}, of("text", "text", textFunc(strings.ToLower))),
		fn("initcap", "First letters upper case, others lower.", Example{`SELECT initcap('hi THOMAS')`, "Hi Thomas"}, of("text", "text", textFunc(initcap))),
		fn("btrim", "Cuts blanks, or given characters, at both ends.", Example{`SELECT btrim('xyxtrimyyx', 'xyz')`, "trim"}, trims(true, true)...),
		fn("ltrim", "Cuts blanks, or given characters, at the beginning.", Example{`SELECT ltrim('zzzytest', 'xyz')`, "test"}, trims(true, false)...),
		fn("rtrim", "Cuts blanks, or given characters, at the end.", Example{`SELECT rtrim('testxxzx', 'xyz')`, "test"}, trims(false, true)...),
		fn("substring", "A part from a character on, of so many characters; or what a regular expression matches.",
			Example{`SELECT substring('Thomas' FROM 2 FOR 3)`, "hom"},
			append(cut, of("text,text", "text", substringRegex), of("text,text,text", "text", substringSimilar))...),
		fn("substr", "A part from a character on, of so many characters.", Example{`SELECT substr('alphabet', 3, 2)`, "ph"}, cut...),
		fn("left", "The first characters, or all but the last -n.", Example{`SELECT left('abcde', 2)`, "ab"}, of("text,int4", "text", left)),
		fn("right", "The last characters, or all but the first -n.", Example{`SELECT right('abcde', 2)`, "de"}, of("text,int4", "text", right)),
		fn("lpad", "Fills at the beginning to a length, or cuts.", Example{`SELECT lpad('hi', 5, 'xy')`, "xyxhi"},
			of("text,int4", "text", pad(true)), of("text,int4,text", "text", pad(true))),
		fn("rpad", "Fills at the end to a length, or cuts.", Example{`SELECT rpad('hi', 5, 'xy')`, "hixyx"},
			of("text,int4", "text", pad(false)), of("text,int4,text", "text", pad(false))),
		fn("replace", "Replaces every occurrence of a text.", Example{`SELECT replace('abcdefabcdef', 'cd', 'XX')`, "abXXefabXXef"},
			of("text,text,text", "text", replaceText)),
		fn("translate", "Exchanges characters one by one.", Example{`SELECT translate('12345', '143', 'ax')`, "a2x5"},
			of("text,text,text", "text", translateText)),
		fn("position", "Where the second text starts in the first, 0 for nowhere.", Example{`SELECT position('om' IN 'Thomas')`, "3"},
			of("text,text", "int4", positionText), of("bytea,bytea", "int4", positionBytes)),
		fn("strpos", "Where the second text starts in the first, 0 for nowhere.", Example{`SELECT strpos('high', 'ig')`, "2"},
			of("text,text", "int4", positionText)),
		fn("overlay", "Puts a text in place of a part.", Example{`SELECT overlay('Txxxxas' PLACING 'hom' FROM 2 FOR 4)`, "Thomas"},
			of("text,text,int4", "text", overlay(runes, cutRunes)), of("text,text,int4,int4", "text", overlay(runes, cutRunes)),
			of("bytea,bytea,int4", "bytea", overlay(octets, cutBytes)), of("bytea,bytea,int4,int4", "bytea", overlay(octets, cutBytes))),
		fn("split_part", "Field n between delimiters, from the end when negative.", Example{`SELECT split_part('abc~def~ghi', '~', 2)`, "def"},
			of("text,text,int4", "text", splitPart)),
		anew(fn("concat", "Joins the texts of all arguments; NULLs are left out.", Example{`SELECT concat('abc', 2, NULL, 22)`, "abc222"},
			typed("variadic args any", "text", concat))),
		anew(fn("concat_ws", "Joins the texts of all arguments with a separator; NULLs are left out.", Example{`SELECT concat_ws(',', 'abc', 2, NULL, 22)`, "abc,2,22"},
			typed("sep text,variadic args any", "text", concatWS))),
		anew(fn("format", "Fills in a format: %s a text, %I a name, %L a literal.", Example{`SELECT format('Hello %s, %1$s', 'World')`, "Hello World, World"},
			typed("text", "text", format), typed("formatstr text,variadic args any", "text", format))),
		fn("quote_ident", "A name, in quotes where it needs them.", Example{`SELECT quote_ident('Foo bar')`, `"Foo bar"`}, of("text", "text", quoteIdentFunc)),
		fn("quote_literal", "A string constant.", Example{`SELECT quote_literal('O''Reilly')`, `'O''Reilly'`}, of("text", "text", quoteLiteralText)),
		stable(fn("quote_literal", "The text of a value as a string constant.", Example{`SELECT quote_literal(42.5)`, `'42.5'`}, typed("anyelement", "text", quoteAny))),
		nullable(fn("quote_nullable", "A string constant, or NULL.", Example{`SELECT quote_nullable(NULL)`, "NULL"}, of("text", "text", quoteNullableText))),
		anew(fn("quote_nullable", "The text of a value as a string constant, or NULL.", Example{`SELECT quote_nullable(42.5)`, `'42.5'`}, typed("anyelement", "text", quoteAny))),
		fn("reverse", "The characters in reverse.", Example{`SELECT reverse('abcde')`, "edcba"}, of("text", "text", textFunc(reverseText))),
		fn("repeat", "A text so many times.", Example{`SELECT repeat('Pg', 4)`, "PgPgPgPg"}, of("text,int4", "text", repeatText)),
		fn("chr", "The character of a code point.", Example{`SELECT chr(65)`, "A"}, of("int4", "text", chr)),
		fn("ascii", "The code point of the first character.", Example{`SELECT ascii('x')`, "120"}, of("text", "int4", textInt(ascii))),
		fn("to_hex", "Hexadecimal digits.", Example{`SELECT to_hex(2147483647)`, "7fffffff"},
			of("int4", "text", intTypes[1].toHex), of("int8", "text", intTypes[2].toHex)),
		fn("normalize", "A Unicode normalization form.", Example{`SELECT length(normalize('a' || chr(776)))`, "1"},
			of("text,text default 'NFC'", "text", normalize)),
		fn("unistr", "Reads Unicode escapes.", Example{`SELECT unistr('d\0061t\+000061')`, "data"}, of("text", "text", unistr)),
		fn("parse_ident", "Takes a dotted name apart.", Example{`SELECT parse_ident('"SomeSchema".someTable')`, "{SomeSchema,sometable}"},
			of("str text,strict bool default true", "text[]", parseIdent)),
		nullable(fn("string_to_array", "Cuts at a delimiter, into characters when that is NULL; fields equal to the third text become NULL.",
			Example{`SELECT string_to_array('xx~~yy~~zz', '~~', 'yy')`, "{xx,NULL,zz}"},
			of("text,text", "text[]", stringToArray), of("text,text,text", "text[]", stringToArray))),
		nullable(fn("string_to_table", "Cuts at a delimiter, into rows.", Example{`SELECT max(s) FROM string_to_table('a,b', ',') AS s`, "b"},
			set("text,text", "text", stringToTable), set("text,text,text", "text", stringToTable))),
		stable(fn("array_to_string", "Joins the elements of an array; NULLs are left out.", Example{`SELECT array_to_string(ARRAY[1, 2, NULL, 3], ',')`, "1,2,3"},
			typed("anyarray,text", "text", arrayToString))),
		anew(fn("array_to_string", "Joins the elements of an array, NULLs as a given text.", Example{`SELECT array_to_string(ARRAY[1, NULL, 3], ',', '*')`, "1,*,3"},
			typed("anyarray,text,text", "text", arrayToString))),
		binary(fn("md5", "The MD5 hash in hexadecimal.", Example{`SELECT md5('abc')`, "900150983cd24fb0d6963f7d28e17f72"},
			of("text", "text", textFunc(md5Hex)), of("bytea", "text", textFunc(md5Hex)))),
		hash("sha224", "The SHA-224 hash.", "23097d22", sha224Sum),
		hash("sha256", "The SHA-256 hash.", "ba7816bf", sha256Sum),
		hash("sha384", "The SHA-384 hash.", "cb00753f", sha384Sum),
		hash("sha512", "The SHA-512 hash.", "ddaf35a1", sha512Sum),
		binary(fn("encode", "Bytes as text: hex, base64 or escape.", Example{`SELECT encode('123\000\001', 'base64')`, "MTIzAAE="}, of("bytea,text", "text", encodeBytes))),
		binary(fn("decode", "Text back to bytes: hex, base64 or escape.", Example{`SELECT decode('MTIzAAE=', 'base64')`, `\x3132330001`}, of("text,text", "bytea", decodeText))),
		binary(fn("get_byte", "Byte n, from 0.", Example{`SELECT get_byte('\x1234567890'::bytea, 4)`, "144"}, of("bytea,int4", "int4", getByte))),
		binary(fn("set_byte", "Sets byte n, from 0.", Example{`SELECT set_byte('\x1234567890'::bytea, 4, 64)`, `\x1234567840`}, of("bytea,int4,int4", "bytea", setByte))),
		binary(fn("bit_count", "Number of bits set.", Example{`SELECT bit_count('\x1234567890'::bytea)`, "15"}, of("bytea", "int8", bitCount))),
		stable(binary(fn("convert_from", "Reads bytes in an encoding.", Example{`SELECT convert_from('\xe4'::bytea, 'LATIN1')`, "ä"}, of("bytea,name", "text", convertFrom)))),
		stable(binary(fn("convert_to", "Writes text in an encoding.", Example{`SELECT convert_to('ä', 'UTF8')`, `\xc3a4`}, of("text,name", "bytea", convertTo)))),
	}
}
