package examples_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Shards on two executors of Spark, with Spark Connect and without it, give the single run's bits, even if a task is
// killed and an executor lost. Without pyspark and Java the test is skipped, unless BCSTAGE_REQUIRE_CLIENTS=1.
func TestSpark(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	python := cmp.Or(os.Getenv("BCSTAGE_PYTHON"), "python3")
	for _, command := range [][]string{{python, "-c", "import pyarrow, pyspark, grpc"}, {"java", "-version"}} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			need(t, "%s: %v\n%s", command[0], err, out)
		}
	}
	folder := t.TempDir()
	command := filepath.Join(folder, "bcstage")
	run(t, "go", "build", "-o", command, "../cli/bcstage")
	library, err := filepath.Abs("../python")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", library)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	t.Setenv("PYSPARK_PYTHON", python) // executors have no PATH to search
	t.Setenv("PYSPARK_DRIVER_PYTHON", python)
	t.Setenv("SPARK_LOCAL_IP", "127.0.0.1") // otherwise the machine's name must have an address
	t.Log(run(t, python, "spark/check.py", command, folder))
}
