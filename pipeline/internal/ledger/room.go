package ledger

import (
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Room is memory of a Ledger that can be taken before there is a plan.
type Room struct {
	columns []column
	found   []preprocess.Found
}

// NewRoom is for a question that distances alone are searched for, about n vertices. The system has
// given all of it.
func NewRoom(q question.Question, n int) *Room {
	room := &Room{columns: newColumns(q, n, 0), found: make([]preprocess.Found, n)}
	clear(room.found)
	for _, c := range room.columns {
		clear(c.sums.words)
	}
	return room
}
