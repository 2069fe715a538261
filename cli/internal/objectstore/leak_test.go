package objectstore_test

import (
	"os"
	"testing"

	"bcstage/preprocess/testleaks"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }
