package catalog

// TriggerEvent is a set of the commands a trigger fires on.
type TriggerEvent uint8

// The events.
const (
	TriggerInsert TriggerEvent = 1 << iota
	TriggerUpdate
	TriggerDelete
	TriggerTruncate
)

// TriggerTiming is when a trigger fires.
type TriggerTiming byte

// The timings.
const (
	TriggerBefore    TriggerTiming = 'b'
	TriggerAfter     TriggerTiming = 'a'
	TriggerInsteadOf TriggerTiming = 'i'
)

// Trigger is a trigger of a relation.
type Trigger struct {
	OID      uint32        `json:"oid"`
	Name     string        `json:"name"`
	Timing   TriggerTiming `json:"timing"`
	Events   TriggerEvent  `json:"events"`
	Columns  []uint16      `json:"columns,omitempty"` // of UPDATE OF
	ForRow   bool          `json:"for_row,omitempty"`
	When     string        `json:"when,omitempty"` // SQL text
	Function uint32        `json:"function"`       // OID
	// Args are the arguments as text.
	Args []string `json:"args,omitempty"`
	// OldTable and NewTable are the transition tables' names.
	OldTable string `json:"old_table,omitempty"`
	NewTable string `json:"new_table,omitempty"`
	// Enabled is pg_trigger.tgenabled: 'O', 'D', 'R' or 'A'.
	Enabled byte `json:"enabled"`
	// Constraint tells that it is a constraint trigger.
	Constraint        bool         `json:"constraint,omitempty"`
	Deferrable        bool         `json:"deferrable,omitempty"`
	InitiallyDeferred bool         `json:"initially_deferred,omitempty"`
	Comment           string       `json:"comment,omitempty"`
	Depends           []Dependency `json:"depends,omitempty"` // what When needs
}

// Ref names the trigger.
func (t *Trigger) Ref() Ref { return Ref{Class: ClassTrigger, OID: t.OID} }
