module gonum

go 1.25.0

require (
	bcstage v0.0.0
	gonum.org/v1/gonum v0.17.0
)

require (
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace bcstage => ../..
