package faults

import (
	"strings"
	"testing"
)

func TestNamesAreBounded(t *testing.T) {
	if got := Names(make([]string, 1000)); !strings.HasSuffix(got, " and 980 more]") {
		t.Error(got)
	}
}
