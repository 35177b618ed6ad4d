package funcs

func regexFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupPattern, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	escape := fn("similar_escape", "The regular expression of a SIMILAR TO pattern.", Example{`SELECT similar_escape('a%', NULL)`, "^(?:a.*)$"},
		of("text,text", "text", similarEscape))
	escape.Nulls = CalledOnNull
	return []Func{
		fn("regexp_match", "The groups of the first match, or the match.", Example{`SELECT regexp_match('foobarbeque', '(bar)(beque)')`, "{bar,beque}"},
			of("text,text", "text[]", regexpMatch), of("text,text,text", "text[]", regexpMatch)),
		fn("regexp_matches", "The groups of the first match, or with flag g of every match, as rows.",
			Example{`SELECT count(*) FROM regexp_matches('foobarbequebaz', 'ba.', 'g')`, "2"},
			set("text,text", "text[]", regexpMatches), set("text,text,text", "text[]", regexpMatches)),
		fn("regexp_replace", "Replaces the first match, with flag g every match, or match N from a character on. \\1 is a group, \\& the match.",
			Example{`SELECT regexp_replace('foobarbaz', 'b(..)', 'X\1Y', 'g')`, "fooXarYXazY"},
			of("text,text,text", "text", regexpReplace), of("text,text,text,text", "text", regexpReplace),
			of("text,text,text,int4", "text", regexpReplaceFrom), of("text,text,text,int4,int4", "text", regexpReplaceFrom),
			of("text,text,text,int4,int4,text", "text", regexpReplaceFrom)),
		fn("regexp_split_to_array", "Cuts a text at every match.", Example{`SELECT regexp_split_to_array('hello world', '\s+')`, "{hello,world}"},
			of("text,text", "text[]", regexpSplitToArray), of("text,text,text", "text[]", regexpSplitToArray)),
		fn("regexp_split_to_table", "Cuts a text at every match, into rows.", Example{`SELECT max(s) FROM regexp_split_to_table('a b', ' ') AS s`, "b"},
			set("text,text", "text", regexpSplitToTable), set("text,text,text", "text", regexpSplitToTable)),
		fn("regexp_like", "True when the pattern matches.", Example{`SELECT regexp_like('Hello', 'HELLO', 'i')`, "t"},
			of("text,text", "bool", regexpLike), of("text,text,text", "bool", regexpLike)),
		fn("regexp_count", "Number of matches, from a character on.", Example{`SELECT regexp_count('123456789012', '\d\d\d', 2)`, "3"},
			of("text,text", "int4", regexpCount), of("text,text,int4", "int4", regexpCount), of("text,text,int4,text", "int4", regexpCount)),
		fn("regexp_instr", "Where match N, or a group of it, starts or ends; 0 for nowhere.",
			Example{`SELECT regexp_instr('number of your street, town zip, FR', '[^,]+', 1, 2)`, "23"},
			of("text,text", "int4", regexpInstr), of("text,text,int4", "int4", regexpInstr), of("text,text,int4,int4", "int4", regexpInstr),
			of("text,text,int4,int4,int4", "int4", regexpInstr), of("text,text,int4,int4,int4,text", "int4", regexpInstr),
			of("text,text,int4,int4,int4,text,int4", "int4", regexpInstr)),
		fn("regexp_substr", "Match N, or a group of it.", Example{`SELECT regexp_substr('number of your street, town zip, FR', '[^,]+', 1, 2)`, " town zip"},
			of("text,text", "text", regexpSubstr), of("text,text,int4", "text", regexpSubstr), of("text,text,int4,int4", "text", regexpSubstr),
			of("text,text,int4,int4,text", "text", regexpSubstr), of("text,text,int4,int4,text,int4", "text", regexpSubstr)),
		fn("like_escape", "A LIKE pattern with another escape character, rewritten to backslashes.", Example{`SELECT like_escape('a#%b', '#')`, `a\%b`},
			of("text,text", "text", likeEscape)),
		fn("similar_to_escape", "The regular expression of a SIMILAR TO pattern.", Example{`SELECT similar_to_escape('a_c%')`, "^(?:a.c.*)$"},
			of("text", "text", similarToEscape), of("text,text", "text", similarToEscape)),
		escape,
		fn("like", "The function behind LIKE.", Example{`SELECT "like"('abc', 'a%')`, "t"}, of("text,text", "bool", likeOp(false, false, false))),
		fn("starts_with", "True when the first text starts with the second.", Example{`SELECT starts_with('alphabet', 'alph')`, "t"},
			of("text,text", "bool", startsWith)),
	}
}
