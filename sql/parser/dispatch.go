package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/sql/ast"
)

// parseStatement reads one statement to its end.
func parseStatement(lex *lexer.PeekingLexer, text string) (ast.Stmt, error) {
	switch lex.Peek().Type {
	case kwSelect, kwInsert, kwUpdate, kwDelete, kwWith, kwValues, kwTable, '(':
		p := newParser(lex)
		s := p.preparable()
		p.end()
		if p.err != nil {
			return nil, p.err
		}
		return s, nil
	case kwExplain:
		return parseExplain(lex, text)
	case kwCall:
		return parseCall(lex, text)
	}
	prod, err := choose(lex)
	if err != nil {
		return nil, err
	}
	return prod(lex, text)
}

// productions are chosen by the first word, where that is enough.
var productions = map[lexer.TokenType]production{
	kwBegin: ruleBegin, kwStart: ruleBegin, kwEnd: ruleCommit, kwAbort: ruleRollback,
	kwSavepoint: rule[savepointG](), kwRelease: rule[releaseG](),
	kwReset: rule[resetG](), kwDiscard: rule[discardG](),
	kwExecute: ruleExecute, kwDeallocate: rule[deallocateG](),
	kwDeclare: ruleDeclare, kwFetch: rule[fetchG](), kwMove: rule[fetchG](), kwClose: rule[closeG](),
	kwListen: rule[listenG](), kwUnlisten: rule[unlistenG](), kwNotify: rule[notifyG](),
	kwLock: rule[lockG](), kwCheckpoint: rule[checkpointG](), kwDo: rule[doG](),
	kwAnalyze: ruleAnalyze, kwAnalyse: ruleAnalyze,
	kwGrant: byHand(grant), kwRevoke: byHand(grant), kwReassign: byHand(dropOwned), kwRefresh: byHand(refresh),
	kwCopy: rule[copyG](), kwTruncate: rule[truncateG](), kwComment: rule[commentG](),
}

var (
	ruleBegin       = rule[beginG]()
	ruleCommit      = rule[commitG]()
	ruleRollback    = rule[rollbackG]()
	ruleTwoPhase    = rule[twoPhaseG]()
	ruleSet         = rule[setG]()
	ruleShow        = rule[showG]()
	ruleShowSpatial = rule[showSpatialG]()
	ruleVerify      = rule[verifySpatialG]()
	ruleRebuild     = rule[rebuildSpatialG]()
	ruleAnalyze     = rule[analyzeG]()
	ruleVacuum      = rule[vacuumG]()
	ruleVacuumList  = rule[vacuumListG]()
	rulePrepare     = rule[prepareG]()
	ruleExecute     = rule[executeG]()
	ruleDeclare     = rule[declareG]()
)

// unsupported are first words of statements that are recognised, no more.
var unsupported = map[lexer.TokenType]bool{
	kwMerge: true, kwCluster: true, kwReindex: true, kwSecurity: true, kwImport: true, kwLoad: true,
}

// choose picks a production by the first words, or reports the one that begins no
// statement.
func choose(lex *lexer.PeekingLexer) (production, error) {
	first, second := lex.Peek(), peekSecond(lex)
	if prod, ok := productions[first.Type]; ok {
		return prod, nil
	}
	if unsupported[first.Type] {
		return recognised(keywordInCapitals(first)), nil
	}
	switch first.Type {
	case kwCommit, kwRollback:
		switch {
		case second.Type == kwPrepared:
			return ruleTwoPhase, nil
		case first.Type == kwCommit:
			return ruleCommit, nil
		}
		return ruleRollback, nil
	case kwPrepare:
		if second.Type == kwTransaction && third(lex).Type == tokString {
			return ruleTwoPhase, nil
		}
		return rulePrepare, nil
	case kwVacuum:
		if second.Type == '(' {
			return ruleVacuumList, nil
		}
		return ruleVacuum, nil
	case kwSet:
		if second.Type == kwConstraints {
			return byHand(setConstraints), nil
		}
		return ruleSet, nil
	case kwShow:
		if isWord(second, "spatial") && third(lex).Type == kwIndex {
			return ruleShowSpatial, nil
		}
		return ruleShow, nil
	case kwCreate:
		return chooseCreate(lex)
	case kwAlter:
		return chooseAlter(lex, second, third(lex))
	case kwDrop:
		return chooseDrop(second)
	}
	switch {
	case isWord(first, "rebuild") && isWord(second, "spatial"):
		return ruleRebuild, nil
	case isWord(first, "verify") && isWord(second, "spatial"):
		return ruleVerify, nil
	}
	return nil, &fault{at: first.Pos.Offset}
}

func isWord(tok *lexer.Token, word string) bool { return tok.Type == tokIdent && tok.Value == word }

func third(lex *lexer.PeekingLexer) *lexer.Token {
	here := lex.MakeCheckpoint()
	defer lex.LoadCheckpoint(here)
	lex.Next()
	lex.Next()
	return lex.Peek()
}

// recognised is the production of a statement that is not supported.
func recognised(command string) production {
	return func(_ *lexer.PeekingLexer, text string) (ast.Stmt, error) {
		return &ast.Unsupported{Command: command, Text: text}, nil
	}
}

var (
	ruleCreateTable     = rule[createTableG]()
	ruleCreateTableAs   = rule[createTableAsG]()
	ruleCreateIndex     = rule[createIndexG]()
	ruleCreateFunction  = rule[createFunctionG]()
	ruleCreateTrigger   = rule[createTriggerG]()
	ruleCreateExtension = rule[createExtensionG]()
	ruleCreateWorkspace = rule[createWorkspaceG]()
	ruleAlterTable      = rule[alterTableG]()
	ruleAlterSpatial    = rule[alterSpatialG]()
	ruleAlterWorkspace  = rule[alterWorkspaceG]()
	ruleDropTable       = rule[dropTableG]()
	ruleDropObject      = rule[dropObjectG]()
	ruleDropFunction    = rule[dropFunctionG]()
	ruleDropTrigger     = rule[dropTriggerG]()
	ruleDropWorkspace   = rule[dropWorkspaceG]()
)

// chooseCreate looks past OR REPLACE, TEMPORARY and the like for what is created.
func chooseCreate(lex *lexer.PeekingLexer) (production, error) {
	here := lex.MakeCheckpoint()
	defer lex.LoadCheckpoint(here)
	lex.Next()
	replace := false
	if lex.Peek().Type == kwOr {
		lex.Next()
		if lex.Peek().Type != kwReplace {
			return nil, &fault{at: lex.Peek().Pos.Offset}
		}
		replace = true
		lex.Next()
	}
	persistence := false
	switch lex.Peek().Type {
	case kwLocal, kwGlobal:
		if lex.Next(); lex.Peek().Type != kwTemp && lex.Peek().Type != kwTemporary {
			return nil, &fault{at: lex.Peek().Pos.Offset}
		}
	}
	switch lex.Peek().Type {
	case kwTemp, kwTemporary, kwUnlogged:
		persistence = true
		lex.Next()
	}
	tok := lex.Peek()
	switch {
	case tok.Type == kwTable && !replace:
		return chooseCreateTable(lex), nil
	case tok.Type == kwView, tok.Type == kwRecursive:
		return byHand(createView), nil
	case tok.Type == kwSequence && !replace:
		return byHand(createSequence), nil
	case persistence:
		return nil, &fault{at: tok.Pos.Offset}
	case tok.Type == kwFunction || tok.Type == kwProcedure:
		return ruleCreateFunction, nil
	case tok.Type == kwConstraint && peekSecond(lex).Type != kwTrigger:
		return nil, &fault{at: peekSecond(lex).Pos.Offset}
	case tok.Type == kwTrigger, tok.Type == kwConstraint:
		return ruleCreateTrigger, nil
	}
	if replace {
		switch tok.Type {
		case kwRule, kwAggregate, kwLanguage, kwTrusted, kwProcedural, kwTransform:
			return recognised("CREATE " + keywordInCapitals(tok)), nil
		}
		return nil, &fault{at: tok.Pos.Offset}
	}
	switch tok.Type {
	case kwUnique, kwIndex:
		return ruleCreateIndex, nil
	case kwExtension:
		return ruleCreateExtension, nil
	case kwMaterialized:
		return ruleCreateTableAs, nil
	case kwSchema:
		return byHand(createSchema), nil
	case kwType:
		return byHand(createType), nil
	case kwDomain:
		return byHand(createDomain), nil
	case kwRole, kwGroup:
		return byHand(createRole), nil
	case kwUser:
		if peekSecond(lex).Type != kwMapping {
			return byHand(createRole), nil
		}
	case kwDatabase:
		return database, nil
	}
	if isWord(tok, "workspace") {
		return ruleCreateWorkspace, nil
	}
	return otherObject("CREATE", tok)
}

// objects are the kinds of objects that PostgreSQL creates, alters and drops.
var objects = map[lexer.TokenType]bool{
	kwAccess: true, kwAggregate: true, kwCast: true, kwCollation: true, kwConversion: true, kwDatabase: true, kwDefault: true,
	kwDomain: true, kwEvent: true, kwExtension: true, kwForeign: true, kwFunction: true, kwGroup: true, kwLanguage: true,
	kwLarge: true, kwOperator: true, kwOwned: true, kwPolicy: true, kwProcedural: true, kwProcedure: true, kwPublication: true,
	kwRecursive: true, kwRole: true, kwRoutine: true, kwRule: true, kwSchema: true, kwSequence: true, kwServer: true,
	kwStatistics: true, kwSubscription: true, kwSystem: true, kwTablespace: true, kwText: true, kwTransform: true,
	kwTrigger: true, kwTrusted: true, kwType: true, kwUser: true, kwView: true,
}

// otherObject recognises a statement about an object that the grammars do not
// know.
func otherObject(verb string, tok *lexer.Token) (production, error) {
	if objects[tok.Type] {
		return recognised(verb + " " + keywordInCapitals(tok)), nil
	}
	return nil, &fault{at: tok.Pos.Offset}
}

// chooseCreateTable looks past the name: CREATE TABLE AS has no columns or a list
// of bare names, which a list of columns never starts like. lex stands on TABLE and
// is left anywhere.
func chooseCreateTable(lex *lexer.PeekingLexer) production {
	lex.Next()
	if lex.Peek().Type == kwIf && peekSecond(lex).Type == kwNot {
		lex.Next()
		lex.Next()
		lex.Next()
	}
	lex.Next()
	for lex.Peek().Type == '.' {
		lex.Next()
		lex.Next()
	}
	switch tok := lex.Peek(); {
	case tok.Type == '(':
		lex.Next()
		if next := peekSecond(lex).Type; isColID(lex.Peek().Type) && (next == ',' || next == ')') {
			return ruleCreateTableAs
		}
	case tok.Type == kwPartition && peekSecond(lex).Type == kwOf:
		return recognised("CREATE TABLE PARTITION OF")
	case tok.Type == kwOf:
		return recognised("CREATE TABLE OF")
	case tok.Type == kwAs || tok.Type == kwUsing || tok.Type == kwWith || tok.Type == kwOn || tok.Type == kwTablespace:
		return ruleCreateTableAs
	}
	return ruleCreateTable
}

func chooseAlter(lex *lexer.PeekingLexer, second, third *lexer.Token) (production, error) {
	switch second.Type {
	case kwTable, kwIndex, kwView:
		return ruleAlterTable, nil
	case kwSequence:
		if changesSequence(lex) {
			return byHand(alterSequence), nil
		}
		return ruleAlterTable, nil
	case kwSchema:
		return byHand(alterSchema), nil
	case kwType:
		return byHand(alterType), nil
	case kwDomain:
		return byHand(alterDomain), nil
	case kwRole, kwGroup:
		return alterRole, nil
	case kwUser:
		if third.Type != kwMapping {
			return alterRole, nil
		}
	case kwDatabase:
		return database, nil
	case kwDefault:
		return byHand(defaultPrivileges), nil
	case kwFunction, kwProcedure, kwRoutine:
		return ruleAlterFunction, nil
	case kwTrigger:
		return ruleAlterTrigger, nil
	case kwMaterialized:
		return ruleAlterTable, nil
	}
	switch {
	case isWord(second, "spatial"):
		return ruleAlterSpatial, nil
	case isWord(second, "workspace"):
		return ruleAlterWorkspace, nil
	case second.Type == kwForeign && third.Type != kwTable && third.Type != kwData:
		return nil, &fault{at: third.Pos.Offset}
	}
	return otherObject("ALTER", second)
}

// changesSequence reports whether ALTER SEQUENCE gives options of the sequence; what
// it has in common with tables is read as that.
func changesSequence(lex *lexer.PeekingLexer) bool {
	here := lex.MakeCheckpoint()
	defer lex.LoadCheckpoint(here)
	p := newParser(lex)
	p.advance()
	p.advance()
	p.ifExists()
	p.objectName()
	switch {
	case p.err != nil, p.isWord("rename"), p.isWord("owner"):
		return false
	case p.isWord("set"):
		return p.after().Type != kwSchema
	}
	return true
}

func chooseDrop(second *lexer.Token) (production, error) {
	switch second.Type {
	case kwRole, kwGroup, kwUser:
		return byHand(dropRole), nil
	case kwOwned:
		return byHand(dropOwned), nil
	case kwDatabase:
		return database, nil
	case kwTable:
		return ruleDropTable, nil
	case kwIndex, kwView, kwMaterialized, kwSequence, kwSchema, kwType, kwDomain, kwExtension:
		return ruleDropObject, nil
	case kwFunction, kwProcedure, kwRoutine, kwAggregate:
		return ruleDropFunction, nil
	case kwTrigger:
		return ruleDropTrigger, nil
	}
	if isWord(second, "workspace") {
		return ruleDropWorkspace, nil
	}
	return otherObject("DROP", second)
}
