package cli

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/gpu"
)

// choice is a flag value out of a fixed list.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) Set(value string) error {
	if !slices.Contains(c.allowed, value) {
		return fmt.Errorf("want one of %s", strings.Join(c.allowed, ", "))
	}
	c.value = value
	return nil
}

// strategies are the device strategies that can be chosen, the default first.
func strategies() []string {
	var list []string
	for _, s := range gpu.Strategies() {
		list = append(list, string(s))
	}
	return list
}

func (c *choice) String() string { return c.value }

// allowed lists the values of a choice flag; nil for any other.
func allowed(f urfave.Flag) []string {
	if g, ok := f.(*urfave.GenericFlag); ok {
		if c, ok := g.Value.(*choice); ok {
			return c.allowed
		}
	}
	return nil
}

// chosen is the value of a choice flag, given or by default.
func chosen(c *urfave.Context, name string) string {
	if v, ok := c.Generic(name).(*choice); ok {
		return v.value
	}
	return ""
}
