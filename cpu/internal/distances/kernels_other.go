package distances

// all are the kernels of this processor, the fastest first.
func all() []kernels { return []kernels{portable()} }

func fastest() kernels { return all()[0] }
