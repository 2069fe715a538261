package sharing

// Share is one engine's share of the work.
type Share struct {
	Name    string  `json:"name"`
	Batches int     `json:"batches"`
	Share   float64 `json:"share"` // of the estimated cost
	Failed  string  `json:"failed,omitempty"`
}

// Progress is the state of a run.
type Progress struct {
	Done, Total int     // batches
	Share       float64 // 0..1 of the estimated cost
	Engines     []Share
}

// Progress returns the present state.
func (s *Sharing) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Progress{Done: s.done, Total: len(s.todo), Share: 1}
	if s.total > 0 {
		p.Share = s.doneCost / s.total
		p.Engines = s.shares()
	}
	return p
}

// Figures are the costs of a run.
type Figures struct {
	Engines []Share
	// Timeline is the progress of the engines: at most 65 points, however long the run.
	Timeline []TimelinePoint
	// Two figures for the cost of lanes; 0 where no engine counted them.
	FrontierEntriesPerVertexBatch, RowLoadsPerEdgeBatch float64
}

// Figures returns the costs so far.
func (s *Sharing) Figures() Figures {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := Figures{Engines: s.shares(), Timeline: s.timeline.describe(s.clients, s.total)}
	if s.workVertex > 0 {
		f.FrontierEntriesPerVertexBatch = float64(s.work.FrontierEntries) / s.workVertex
	}
	if s.workEdge > 0 {
		f.RowLoadsPerEdgeBatch = float64(s.work.RowLoads) / s.workEdge
	}
	return f
}

// shares returns the shares of all clients. The caller holds the lock.
func (s *Sharing) shares() (list []Share) {
	for _, c := range s.clients {
		share := Share{Name: c.Name, Batches: c.batches, Failed: c.failed}
		if s.total > 0 {
			share.Share = c.cost / s.total
		}
		list = append(list, share)
	}
	return list
}

// Failed reports whether the client's engine ended early.
func (c *Client) Failed() bool {
	c.sharing.mu.Lock()
	defer c.sharing.mu.Unlock()
	return c.failed != ""
}

// Fail records why a client's engine ended early.
func (c *Client) Fail(err error) {
	c.sharing.mu.Lock()
	defer c.sharing.mu.Unlock()
	c.failed = err.Error()
}
