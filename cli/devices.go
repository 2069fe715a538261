package cli

import (
	"errors"
	"fmt"
	"text/tabwriter"

	urfave "github.com/urfave/cli/v2"

	"bcstage/gpu"
	"bcstage/gpu/opencl"
	"bcstage/internal/budget"
)

func (p *process) devicesCommand() *urfave.Command {
	return &urfave.Command{
		Name:  "devices",
		Usage: "list OpenCL devices and whether run uses them",
		Description: `Lists the devices that OpenCL finds. --engine auto and gpu use those marked
"used"; --device selects any other by its number.`,
		UsageText: `bcstage devices
bcstage edges.parquet -o scores.parquet --engine gpu --device 0,2`,
		Action: p.devices,
	}
}

// device is a line of the list; the names of the fields are JSON keys.
type device struct {
	Number       int    `json:"number"`
	Name         string `json:"name"`
	Platform     string `json:"platform"`
	Kind         string `json:"kind"`
	Driver       string `json:"driver"`
	Memory       int64  `json:"memory_bytes"`
	ComputeUnits int    `json:"compute_units"`
	Use          string `json:"use"`
}

func (p *process) devices(c *urfave.Context) error {
	if c.NArg() > 0 {
		return usagef(c.Command, "unexpected argument %q", c.Args().First())
	}
	found, err := opencl.Platform{}.Devices()
	if errors.Is(err, gpu.ErrNoDevice) { // an answer here
		p.console.note(describe(err) + "; the CPU computes")
	} else if err != nil {
		return err
	}
	list := make([]device, 0, len(found))
	for _, d := range found {
		use := "used"
		switch {
		case d.Unusable != "":
			use = "not usable: " + d.Unusable
		case d.Kind.ByNumber():
			use = "by number only: the CPU engine is faster there"
		}
		list = append(list, device{d.Number, d.Name, d.Platform, string(d.Kind), d.Driver, d.Memory, d.ComputeUnits, use})
	}
	if c.Bool("json") {
		return p.writeJSON(p.stdout, list)
	}
	if len(list) == 0 {
		return nil
	}
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "device\tname\tkind\tmemory\tunits\tplatform\tdriver\tuse")
	for _, d := range list {
		fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", d.Number, d.Name, d.Kind, budget.Text(d.Memory), d.ComputeUnits, d.Platform, d.Driver, d.Use)
	}
	return out.Flush()
}
