package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"bcstage/cli"
	"bcstage/cli/internal/objectstore/storetest"
)

// runHere runs the command in this process. Its output may never contain a credential.
func runHere(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	code = cli.MainPatient(t.Context(), append([]string{"bcstage"}, args...), strings.NewReader(""), &out, &messages)
	for _, secret := range []string{storetest.Key, storetest.Secret} {
		if strings.Contains(out.String()+messages.String(), secret) {
			t.Errorf("bcstage %q shows %q", args, secret)
		}
	}
	return code, out.String(), messages.String()
}

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := runHere(t, args...)
	if code != 0 {
		t.Fatalf("bcstage %q: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A run from objects to an object makes the bytes of a run from files to a file, in every format;
// file:// is the file itself.
func TestObjectsAreAsFiles(t *testing.T) {
	server := storetest.Start(t)
	folder := t.TempDir()
	compressor, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"csv", "parquet", "arrow"} {
		edges := filepath.Join(folder, "edges."+format)
		mustRun(t, "generate", "smallworld", "--n", "300", "--k", "6", "--p", "0.1", "-o", edges)
		data := readFile(t, edges)
		server.Put(t, "in/edges."+format, data)
		server.Put(t, "in/edges."+format+".zst", compressor.EncodeAll(data, nil))
		for _, input := range []string{"edges." + format, "edges." + format + ".zst"} {
			for _, out := range []string{"csv", "parquet", "arrow", "arrows", "jsonl"} {
				scores := filepath.Join(folder, "scores."+out)
				mustRun(t, "file://"+edges, "-o", "file://"+scores, "--engine", "cpu", "--lanes", "4")
				mustRun(t, "s3://bucket/in/"+input, "-o", "s3://bucket/out/scores."+out, "--engine", "cpu", "--lanes", "4")
				if got := server.Get(t, "out/scores."+out); !bytes.Equal(got, readFile(t, scores)) {
					t.Errorf("%s to %s: %d other bytes", input, out, len(got))
				}
			}
		}
	}
}

// Everything else that takes a file takes an object, too.
func TestObjectsEverywhere(t *testing.T) {
	server := storetest.Start(t)
	mustRun(t, "generate", "smallworld", "--n", "500", "--k", "6", "--p", "0.1", "-o", "s3://bucket/lake/year=1/part-0.csv")
	mustRun(t, "generate", "grid", "--rows", "9", "--cols", "9", "-o", "s3://bucket/lake/year=2/part-0.csv")
	server.Put(t, "lake/_SUCCESS", nil)
	server.Put(t, "vertices.csv", []byte("id\n100000\n"))
	whole := mustRun(t, "s3://bucket/lake", "--format", "csv", "--engine", "cpu", "--lanes", "4")
	for _, glob := range []string{"s3://bucket/**/part-0.csv", "s3://bucket/lake/**", "s3://bucket/lake/", "s3://bucket/lake/*/part-?.csv", "s3://bucket/lake/year=[12]"} {
		if got := mustRun(t, glob, "--format", "csv", "--engine", "cpu", "--lanes", "4"); got != whole {
			t.Errorf("%s: other scores", glob)
		}
	}
	if got := mustRun(t, "s3://bucket/lake", "--vertices", "s3://bucket/vertices.csv", "--format", "csv"); !strings.Contains(got, "\n100000,0\n") {
		t.Error("the vertex table was not read")
	}

	for i := range 3 {
		mustRun(t, "s3://bucket/lake", "--shard", fmt.Sprintf("%d/3", i), "-o", fmt.Sprintf("s3://bucket/parts/%d.arrow", i), "--engine", "cpu", "--lanes", "4")
	}
	if got := mustRun(t, "merge", "s3://bucket/parts/0.arrow", "s3://bucket/parts/1.arrow", "s3://bucket/parts/2.arrow", "--format", "csv"); got != whole {
		t.Error("merged: other scores")
	}
	for _, parts := range []string{"s3://bucket/parts", "s3://bucket/parts/", "s3://bucket/parts/?.arrow"} {
		if got := mustRun(t, "merge", parts, "--format", "csv"); got != whole {
			t.Errorf("%s merged: other scores", parts)
		}
	}

	work := []string{"s3://bucket/lake", "--checkpoint", "s3://bucket/work.arrow", "--engine", "cpu", "--lanes", "4", "-o", "s3://bucket/scores.parquet", "--stats", "s3://bucket/run.json"}
	mustRun(t, append(work, "--keep-checkpoint")...)
	if server.Get(t, "work.arrow") == nil {
		t.Error("no checkpoint")
	}
	if code, _, stderr := runHere(t, work...); code != 2 || !strings.Contains(stderr, "s3://bucket/work.arrow exists already") {
		t.Errorf("a checkpoint that is there: exit code %d: %s", code, stderr)
	}
	mustRun(t, append(work, "--resume")...)
	if server.Get(t, "work.arrow") != nil {
		t.Error("the checkpoint stays when all has been delivered")
	}
	mustRun(t, "generate", "grid", "--rows", "3", "--cols", "9", "-o", "s3://bucket/other.csv")
	mustRun(t, "s3://bucket/other.csv", "--shard", "0/2", "-o", "s3://bucket/work.arrow", "--lanes", "4")
	if code, _, stderr := runHere(t, append(work, "--resume")...); code != 0 || !strings.Contains(stderr, "warning: started anew") || server.Get(t, "work.arrow") != nil {
		t.Errorf("another graph's checkpoint: exit code %d: %s", code, stderr)
	}
	if !json.Valid(server.Get(t, "run.json")) {
		t.Error("no statistics")
	}
	mustRun(t, "info", "s3://bucket/lake")
	mustRun(t, "report", "s3://bucket/scores.parquet", "--stats", "s3://bucket/run.json", "--edges", "s3://bucket/lake", "-o", "s3://bucket/report.html")
	if !bytes.Contains(server.Get(t, "report.html"), []byte("</html>")) {
		t.Error("no report")
	}
	if uploads := server.Uploads(t); len(uploads) > 0 {
		t.Error("left behind:", uploads)
	}
}

func TestObjectExitCodes(t *testing.T) {
	for _, test := range []struct {
		args        string
		environment [2]string
		denied      bool
		code        int
		says        string
	}{
		{args: "s3://bucket/none.csv", code: 5, says: "bcstage: s3://bucket/none.csv: no such object\n"},
		{args: "s3://none/none.csv", code: 5, says: "bcstage: s3://none/none.csv: no such bucket\n"},
		{args: "s3://bucket/*.parquet", code: 5, says: "bcstage: s3://bucket/*.parquet: matches no file\n"},
		{args: "s3://bucket//edges.csv", code: 2, says: "want s3://BUCKET/KEY"},
		{args: "gs://bucket/edges.csv", code: 2, says: "bcstage: gs://bucket/edges.csv: gs:// is not supported here\n"},
		{args: "file://host/edges.csv", code: 2, says: "want file:///PATH"},
		{args: "s3://bucket/bad.csv", code: 3, says: "bcstage: s3://bucket/bad.csv: "},
		{args: "s3://bucket/edges.csv", denied: true, code: 1, says: "bcstage: s3://bucket/edges.csv: access denied\n"},
		{args: "s3://bucket/edges.csv", environment: [2]string{"AWS_SECRET_ACCESS_KEY", "wrong"}, code: 1, says: "the secret key does not match"},
		{args: "s3://bucket/edges.csv", environment: [2]string{"AWS_ACCESS_KEY_ID", ""}, code: 1, says: "no credentials found\nhint: set AWS_ACCESS_KEY_ID"},
		{args: "s3://bucket/edges.csv", environment: [2]string{"AWS_ENDPOINT_URL", "http://127.0.0.1:1"}, code: 6, says: "connection refused\nhint: try again"},
		{args: "s3://bucket/edges.csv -o s3://bucket/scores.csv", environment: [2]string{"AWS_ENDPOINT_URL", "http://127.0.0.1:1"}, code: 6, says: "bcstage: s3://bucket/scores.csv: 127.0.0.1:1: "},
		{args: "s3://bucket/edges.csv --io-timeout 0s", code: 2, says: "--io-timeout 0s: want more than 0"},
		{args: "s3://bucket/edges.csv", environment: [2]string{"AWS_ENDPOINT_URL", "nonsense"}, code: 2, says: "AWS_ENDPOINT_URL: want http://HOST"},
		{args: "s3://bucket/edges.csv --vertices s3://bucket/none", code: 5, says: "no such object"},
		{args: "merge s3://bucket/none.arrow", code: 5, says: "no such object"},
		// An output that cannot be written is refused before the computation.
		{args: "s3://bucket/bad.csv -o s3://none/scores.csv", code: 1, says: "bcstage: s3://none/scores.csv: no such bucket\n"},
		{args: "s3://bucket/edges.csv -o gs://bucket/scores.csv", code: 2, says: "bcstage: gs://bucket/scores.csv: gs:// is not supported here\n"},
		{args: "s3://bucket/edges.csv -o s3://bucket", code: 2, says: "s3://bucket"},
	} {
		t.Run(test.args+test.environment[0], func(t *testing.T) {
			server := storetest.Start(t)
			server.Put(t, "edges.csv", []byte("src,dst\n1,2\n"))
			server.Put(t, "bad.csv", []byte("src,dst\n1,2\n3\n"))
			if test.denied {
				server.Intercept(storetest.Deny)
			}
			if test.environment[0] != "" {
				t.Setenv(test.environment[0], test.environment[1])
			}
			code, stdout, stderr := runHere(t, strings.Fields(test.args)...)
			if code != test.code || !strings.Contains(stderr, test.says) || stdout != "" {
				t.Errorf("exit code %d, want %d saying %q: %s%s", code, test.code, test.says, stdout, stderr)
			}
		})
	}
}

// An output that is an input, or lies where the next run would read it, is refused before any
// request.
func TestObjectsAreNotOverwritten(t *testing.T) {
	server := storetest.Start(t)
	server.Put(t, "lake/year=1/part-0.csv", []byte("src,dst\n1,2\n"))
	asked := len(server.Requests())
	for _, test := range []struct{ args, says string }{
		{"s3://bucket/lake/year=1/part-0.csv -o s3://bucket/lake/year=1/part-0.csv", "--output s3://bucket/lake/year=1/part-0.csv is the same file as s3://bucket/lake/year=1/part-0.csv, which is read"},
		{"s3://bucket/lake -o s3://bucket/lake/scores.csv", "--output s3://bucket/lake/scores.csv lies where s3://bucket/lake is read"},
		{"s3://bucket/lake/ -o s3://bucket/lake/year=2/scores.csv", "lies where s3://bucket/lake/ is read"},
		{"s3://bucket/lake/**/*.csv -o s3://bucket/lake/scores.csv", "lies where s3://bucket/lake/**/*.csv is read"},
		{"s3://bucket/lake/*/part-?.csv -o s3://bucket/lake/year=9/part-9.csv", "lies where s3://bucket/lake/*/part-?.csv is read"},
		{"s3://bucket -o s3://bucket/scores.csv", "lies where s3://bucket is read"},
		{"s3://bucket/e.csv --vertices s3://bucket/lake -o s3://bucket/lake/scores.csv", "lies where --vertices s3://bucket/lake is read"},
		{"s3://bucket/e.csv --sources s3://bucket/s.csv --stats s3://bucket/s.csv", "--stats s3://bucket/s.csv is the same file as --sources s3://bucket/s.csv"},
		{"s3://bucket/lake --checkpoint s3://bucket/lake/work.arrow", "--checkpoint s3://bucket/lake/work.arrow lies where"},
		{"s3://bucket/lake --edge-scores s3://bucket/lake/e.csv", "--edge-scores s3://bucket/lake/e.csv lies where"},
		{"s3://bucket/lake --metrics s3://bucket/lake/m.prom", "--metrics s3://bucket/lake/m.prom lies where"},
		{"prepare s3://bucket/lake -o s3://bucket/lake/g.bcg", "lies where"},
		{"distances s3://bucket/lake --from 1 -o s3://bucket/lake/d.csv", "lies where"},
		{"merge s3://bucket/parts -o s3://bucket/parts/all.arrow --partial", "lies where s3://bucket/parts is read"},
		{"report s3://bucket/s.parquet -o s3://bucket/s.parquet", "is the same file as"},
		{"report s3://bucket/s.parquet --edges s3://bucket/lake -o s3://bucket/lake/page.html", "lies where --edges s3://bucket/lake is read"},
		{"s3://bucket/e.csv -o s3://bucket/x.csv --edge-scores s3://bucket/x.csv", "--edge-scores and --output name the same file"},
	} {
		if code, stdout, stderr := runHere(t, strings.Fields(test.args)...); code != 2 || !strings.Contains(stderr, test.says) || stdout != "" {
			t.Errorf("%s: exit code %d: %s%s", test.args, code, stdout, stderr)
		}
	}
	if requests := server.Requests(); len(requests) > asked {
		t.Error("requests were made:", requests[asked:])
	}
	mustRun(t, "s3://bucket/lake", "-o", "s3://bucket/lake/_scores/scores.csv")
	mustRun(t, "s3://bucket/lake", "-o", "s3://bucket/lakes/scores.csv")
	mustRun(t, "s3://bucket/lake/*/*.csv", "-o", "s3://bucket/lake/scores.csv")
}

// Tables of lakes are recognised in object stores, too, from any folder inside.
func TestObjectsOfLakeTables(t *testing.T) {
	server := storetest.Start(t)
	edges := []byte("src,dst\n1,2\n")
	server.Put(t, "delta/_delta_log/0.json", []byte("{}"))
	server.Put(t, "delta/month=1/part-0.csv", edges)
	server.Put(t, "ice/metadata/00001-x.metadata.json", []byte("{}"))
	server.Put(t, "ice/data/a/part-0.csv", edges)
	server.Put(t, "hudi/.hoodie/hoodie.properties", nil)
	server.Put(t, "hudi/part-0.csv", edges)
	server.Put(t, "plain/metadata/edges.csv", edges)
	for path, says := range map[string]string{
		"delta": "s3://bucket/delta: the folder of a Delta table", "delta/month=1": "a Delta table", "delta/month=1/part-0.csv": "a Delta table", "delta/*/*.csv": "a Delta table",
		"**/part-*.csv": "table", "ice/data/**": "s3://bucket/ice: the folder of an Iceberg table", "ice/data": "s3://bucket/ice/metadata/00001-x.metadata.json", "hudi/*.csv": "s3://bucket/hudi: the folder of a Hudi table",
	} {
		if code, _, stderr := runHere(t, "s3://bucket/"+path, "--top", "1"); code != 3 || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit code %d: %s", path, code, stderr)
		}
	}
	mustRun(t, "s3://bucket/plain", "--top", "1")
	// A client with access to one object only cannot see the folders above it.
	server.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		return strings.HasSuffix(r.URL.Path, ".csv") || storetest.Deny(w, r)
	})
	mustRun(t, "s3://bucket/plain/metadata/edges.csv", "--top", "1")
}

// silent is the message about a server that does not answer; on a busy machine, the server may be
// late in accepting a connection.
var silent = regexp.MustCompile(`(stalled: no byte sent or received for|no connection within) 500ms\nhint: try again; --io-timeout`)

// A server that becomes silent, at any point of reading or writing, ends the command with the exit
// code for a retry, and is not asked repeatedly.
func TestStalledStore(t *testing.T) {
	part := func(r *http.Request) bool { return r.URL.Query().Has("partNumber") }
	for _, test := range []struct {
		name, args string
		stalls     func(r *http.Request) bool
		first      int // bytes of the answer before
	}{
		{"looking", "s3://bucket/edges.csv --top 1", func(r *http.Request) bool { return r.Method == http.MethodHead }, 0},
		{"listing", "s3://bucket/*.csv --top 1", func(r *http.Request) bool { return r.URL.Query().Has("list-type") }, 0},
		{"reading", "s3://bucket/edges.csv --top 1", func(r *http.Request) bool { return r.Header.Get("Range") != "" }, 0},
		{"in the midst", "s3://bucket/edges.csv --top 1", func(r *http.Request) bool { return r.Header.Get("Range") != "" }, 5},
		{"compressed", "s3://bucket/edges.csv.gz --top 1", func(r *http.Request) bool { return r.Header.Get("Range") != "" }, 5},
		{"merging", "merge s3://bucket/edges.csv", func(r *http.Request) bool { return r.Header.Get("Range") != "" }, 5},
		{"beginning", "s3://bucket/edges.csv -o s3://bucket/out.csv", func(r *http.Request) bool { return r.Method == http.MethodPost }, 0},
		{"writing", "s3://bucket/edges.csv -o s3://bucket/out.csv", func(r *http.Request) bool { return r.Method == http.MethodPut }, 0},
		{"writing a part", "generate path --n 4000000 -o s3://bucket/out.csv", part, 0},
		{"ending", "generate path --n 4000000 -o s3://bucket/out.csv", func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Query().Has("uploadId") }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := storetest.Start(t)
			edges := []byte("src,dst\n1,2\n2,3\n")
			server.Put(t, "edges.csv", edges)
			server.Put(t, "edges.csv.gz", gzipped(t, edges))
			var mu sync.Mutex
			asked := map[string]int{} // by stalled request; parts and columns are sent and requested in parallel
			ended := make(chan struct{})
			t.Cleanup(func() { close(ended) })
			server.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if !test.stalls(r) {
					return true
				}
				request := r.Method + " " + r.URL.String() + " " + r.Header.Get("Range")
				mu.Lock()
				asked[request]++
				mu.Unlock()
				if test.first > 0 {
					w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(edges)-1, len(edges)))
					w.Header().Set("Content-Length", fmt.Sprint(len(edges)))
					w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
					w.WriteHeader(http.StatusPartialContent)
					w.Write(edges[:test.first])
					w.(http.Flusher).Flush()
				}
				<-ended
				return false
			})
			code, stdout, stderr := runHere(t, append(strings.Fields(test.args), "--io-timeout", "500ms")...)
			if code != 6 || stdout != "" || !silent.MatchString(stderr) || strings.Count(stderr, "\n") != 2 {
				t.Errorf("exit code %d: %s%s", code, stdout, stderr)
			}
			mu.Lock()
			defer mu.Unlock()
			for request, times := range asked {
				if times > 3 { // net/http repeats it by itself when a kept connection fails; minio-go would do so six times
					t.Errorf("asked %d times: %s", times, request)
				}
			}
		})
	}
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A signal during an upload leaves neither an object nor parts.
func TestInterruptedUpload(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(signal.String(), func(t *testing.T) {
			server := storetest.Start(t)
			command := exec.Command("bcstage", "generate", "kron", "--scale", "20", "-o", "s3://bucket/edges.csv")
			var stderr bytes.Buffer
			command.Stderr = &stderr
			var once sync.Once
			uploading, ended := make(chan struct{}), make(chan struct{})
			server.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Query().Has("partNumber") {
					once.Do(func() { close(uploading) })
					<-ended // the part is too large to be sent unread
				}
				return true
			})
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			go func() {
				<-uploading
				command.Process.Signal(signal)
			}()
			command.Wait()
			close(ended)
			once.Do(func() { close(uploading) })
			if code := command.ProcessState.ExitCode(); code != want {
				t.Errorf("exit code %d, want %d: %s", code, want, stderr.Bytes())
			}
			if server.Get(t, "edges.csv") != nil || len(server.Uploads(t)) > 0 {
				t.Error("left behind:", server.Uploads(t))
			}
		})
	}
}

// A replaced object keeps its bytes until the new ones are complete, and for good if the run is
// cancelled.
func TestCancelledUploadKeepsTheObject(t *testing.T) {
	server := storetest.Start(t)
	server.Put(t, "edges.csv", []byte("before"))
	ctx, cancel := context.WithCancel(t.Context())
	server.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("partNumber") == "2" {
			cancel()
		}
		return true
	})
	code := cli.MainPatient(ctx, strings.Fields("bcstage generate kron --scale 18 -o s3://bucket/edges.csv"), strings.NewReader(""), io.Discard, io.Discard)
	if got := server.Get(t, "edges.csv"); code == 0 || string(got) != "before" || len(server.Uploads(t)) > 0 {
		t.Errorf("exit code %d, object of %d bytes, uploads %v", code, len(got), server.Uploads(t))
	}
}
