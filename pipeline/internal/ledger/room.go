package ledger

import (
	"bcstage/internal/engine"
	"bcstage/preprocess/question"
)

// Room is memory of a Ledger that is allocated before there is a plan.
type Room struct {
	columns []column
	found   []engine.Found
}

// NewRoom allocates memory for a question about distances alone, and n vertices. The system has
// provided all its pages.
func NewRoom(q question.Question, n int) *Room {
	room := &Room{columns: newColumns(q, n, 0), found: make([]engine.Found, n)}
	clear(room.found)
	for _, c := range room.columns {
		clear(c.sums.words)
	}
	return room
}
