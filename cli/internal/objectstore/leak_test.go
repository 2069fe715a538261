package objectstore_test

import (
	"os"
	"testing"

	"bcstage/internal/testleaks"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }
