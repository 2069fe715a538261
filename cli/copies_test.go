package cli_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bcstage/cli/internal/objectstore/storetest"
)

const mebibyte = 1 << 20

// stored is a prepared graph in an object store, of 17 MiB: three ranges. Its searched block is small.
type stored struct {
	*storetest.Server
	file   string // the same on this machine
	data   []byte
	end    int    // of the pieces: the place of their checksums
	copies string // folder
	world  string // edges of its searched block
}

const storedGraph = "s3://bucket/graph.bcg"

func startStored(t *testing.T) *stored {
	s := &stored{Server: storetest.Start(t)}
	folder := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(folder, "tmp"))
	s.file, s.copies = filepath.Join(folder, "graph.bcg"), filepath.Join(folder, "tmp", fmt.Sprintf("bcstage-%d", os.Getuid()))
	path := filepath.Join(folder, "path.csv")
	s.world = filepath.Join(folder, "world.csv")
	mustRun(t, "generate", "path", "--n", "500000", "-o", path)
	mustRun(t, "generate", "smallworld", "--n", "300", "--k", "6", "--p", "0.1", "-o", s.world)
	mustRun(t, "prepare", path, s.world, "-o", s.file)
	s.data = readFile(t, s.file)
	s.end = int(binary.LittleEndian.Uint64(s.data[24:]))
	if s.end <= 16*mebibyte {
		t.Fatalf("%d bytes of pieces, want three ranges", s.end)
	}
	s.Put(t, "graph.bcg", s.data)
	return s
}

// pieces returns the first byte of the pieces that a request asks for, and their number of bytes, 0 for other requests.
func (s *stored) pieces(header string) (from, size int) {
	var to int
	if n, _ := fmt.Sscanf(header, "bytes=%d-%d", &from, &to); n < 2 || from%mebibyte > 0 || to < mebibyte-1 && to != s.end-1 || from >= s.end {
		return 0, 0
	}
	return from, to + 1 - from
}

// isLast reports whether a request asks for the checksums, which each process does once, before it compares its copy.
func (s *stored) isLast(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Range"), fmt.Sprintf("bytes=%d-", s.end))
}

// fetched returns the bytes of pieces that were asked for since the last call.
func (s *stored) fetched() (bytes int) {
	for _, request := range s.Requests() {
		_, size := s.pieces(request.Range)
		bytes += size
	}
	return bytes
}

// copyOf returns the path of the only copy.
func (s *stored) copyOf(t *testing.T) string {
	t.Helper()
	copies, err := filepath.Glob(filepath.Join(s.copies, "*.bcg"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies %q, %v", copies, err)
	}
	return copies[0]
}

// A prepared graph in a store takes the place of the file in every command. It is fetched once, and only the damaged
// pieces of its copy again.
func TestPreparedObjects(t *testing.T) {
	s := startStored(t)
	folder := t.TempDir()
	for _, asked := range [][]string{nil, {"--estimate", "--samples", "64", "--way", "sources"}} {
		asked = append(asked, "--engine", "cpu")
		want := mustRun(t, append([]string{s.file, "--format", "csv"}, asked...)...)
		for i := range 2 {
			mustRun(t, append([]string{storedGraph, "--shard", fmt.Sprintf("%d/2", i), "-o", filepath.Join(folder, fmt.Sprintf("%d.arrow", i))}, asked...)...)
		}
		if got := mustRun(t, "merge", filepath.Join(folder, "0.arrow"), filepath.Join(folder, "1.arrow"), "--format", "csv"); got != want {
			t.Errorf("%q: other scores", asked)
		}
	}
	if got := s.fetched(); got != s.end {
		t.Errorf("%d bytes fetched for four commands, want %d", got, s.end)
	}

	copied := s.copyOf(t)
	for _, damage := range []struct {
		name string
		do   func(data []byte) []byte
		want int // bytes
	}{
		{"one piece", func(data []byte) []byte { data[5*mebibyte+7] ^= 1; return data }, mebibyte},
		{"two pieces of a range", func(data []byte) []byte { data[8*mebibyte] ^= 1; data[11*mebibyte-1] ^= 1; return data }, 3 * mebibyte},
		{"cut short", func(data []byte) []byte { return data[:13*mebibyte] }, s.end - 13*mebibyte},
		{"too long", func(data []byte) []byte { return append(data, 0) }, 0},
		{"the checksums", func(data []byte) []byte { data[s.end] ^= 1; return data }, 0},
	} {
		if err := os.WriteFile(copied, damage.do(bytes.Clone(s.data)), 0o600); err != nil {
			t.Fatal(err)
		}
		mustRun(t, storedGraph, "--top", "1")
		if got := s.fetched(); got != damage.want || !bytes.Equal(readFile(t, copied), s.data) {
			t.Errorf("%s: %d bytes fetched, want %d", damage.name, got, damage.want)
		}
	}

	small, scores := "s3://bucket/small.bcg", filepath.Join(folder, "scores.parquet")
	mustRun(t, "prepare", s.world, "-o", small)
	mustRun(t, small, "-o", scores)
	mustRun(t, "info", small)
	mustRun(t, s.world, "--since", small+","+scores, "-o", filepath.Join(folder, "since.parquet"))
	mustRun(t, "report", scores, "--edges", small, "-o", filepath.Join(folder, "page.html"))
}

// Copies that nothing has used for a day are removed when another is fetched; those of other users are refused.
func TestCopiesOfObjects(t *testing.T) {
	s := startStored(t)
	if err := os.MkdirAll(s.copies, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "new": 23 * time.Hour} {
		path, used := filepath.Join(s.copies, name), time.Now().Add(-age)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, used, used); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, storedGraph, "--top", "1")
	if _, err := os.Stat(filepath.Join(s.copies, "old")); !os.IsNotExist(err) {
		t.Error("a copy that nothing used for a day stays:", err)
	}
	if _, err := os.Stat(filepath.Join(s.copies, "new")); err != nil {
		t.Error(err)
	}

	if err := os.Chmod(s.copies, 0o777); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runHere(t, storedGraph); code != 2 || !strings.Contains(stderr, s.copies+": copies of prepared graphs need a folder that belongs to this user alone") {
		t.Errorf("a folder that all may write: exit code %d: %s", code, stderr)
	}
}

// Errors name the object, and never the copy.
func TestPreparedObjectErrors(t *testing.T) {
	s := startStored(t)
	hurt := bytes.Clone(s.data)
	hurt[9*mebibyte] ^= 1
	s.Put(t, "hurt.bcg", hurt)
	s.Put(t, "short.bcg", s.data[:20])
	s.Put(t, "cut.bcg", s.data[:mebibyte])
	s.Put(t, "edges.bcg", []byte("src,dst\n1,2\n"))
	s.Put(t, "graph", s.data)
	s.Put(t, "folder.bcg/edges.csv", []byte("src,dst\n1,2\n"))
	mustRun(t, "s3://bucket/folder.bcg", "--top", "1")
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"s3://bucket/hurt.bcg", 3, "bcstage: s3://bucket/hurt.bcg: prepared graph not readable: damaged between byte 9437184 and 10485760\n"},
		{"s3://bucket/short.bcg", 3, "bcstage: s3://bucket/short.bcg: prepared graph not readable: no prepared graph, or cut short after 20 bytes\n"},
		{"s3://bucket/cut.bcg", 3, "bcstage: s3://bucket/cut.bcg: prepared graph not readable: 1048576 bytes, want "},
		{"s3://bucket/edges.bcg", 3, "bcstage: s3://bucket/edges.bcg: prepared graph not readable: no prepared graph"},
		{"s3://bucket/none.bcg", 5, "bcstage: s3://bucket/none.bcg: no such object\n"},
		{"s3://bucket/graph", 3, "an object whose name ends in .bcg"},
		{storedGraph + " --directed", 2, "bcstage: " + storedGraph + ": "},
	} {
		if code, _, stderr := runHere(t, strings.Fields(test.args)...); code != test.code || !strings.Contains(stderr, test.says) || strings.Contains(stderr, s.copies) {
			t.Errorf("%s: exit code %d, want %d saying %q: %s", test.args, code, test.code, test.says, stderr)
		}
	}
}

// A connection that is cut continues where it was cut, and a command that failed continues with what it had.
func TestCutPreparedObject(t *testing.T) {
	s := startStored(t)
	want := mustRun(t, s.file, "--format", "csv")
	s.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if from, _ := s.pieces(r.Header.Get("Range")); from < 16*mebibyte {
			return true
		}
		return storetest.Deny(w, r)
	})
	if code, _, stderr := runHere(t, storedGraph); code != 1 || !strings.Contains(stderr, "access denied") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	s.Requests()

	var mu sync.Mutex
	cuts := 0
	s.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		from, size := s.pieces(r.Header.Get("Range"))
		if size == 0 {
			return true
		}
		mu.Lock()
		defer mu.Unlock()
		cuts++
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, from+size-1, len(s.data)))
		w.Header().Set("Content-Length", fmt.Sprint(size))
		w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
		w.WriteHeader(http.StatusPartialContent)
		w.Write(s.data[from : from+size/2+1])
		panic(http.ErrAbortHandler)
	})
	if got := mustRun(t, storedGraph, "--format", "csv"); got != want {
		t.Error("other scores after cut connections")
	}
	if got := s.fetched(); cuts == 0 || got != s.end-16*mebibyte {
		t.Errorf("%d connections cut, and %d bytes of pieces asked for, want %d", cuts, got, s.end-16*mebibyte)
	}
}

// Of two processes at once, one fetches.
func TestPreparedObjectOnce(t *testing.T) {
	s := startStored(t)
	fetching, both := make(chan struct{}), make(chan struct{})
	s.Intercept(onRequests(s, fetching, both, func() bool { return true }))
	results := make(chan string, 2)
	run := func() {
		output, err := exec.Command("bcstage", storedGraph, "--format", "csv", "-q").CombinedOutput()
		results <- fmt.Sprint(string(output), err)
	}
	go run()
	select {
	case <-fetching:
	case failed := <-results:
		t.Fatal(failed)
	}
	go run()
	want := fmt.Sprint(mustRun(t, s.file, "--format", "csv"), nil)
	for range 2 {
		if got := <-results; got != want {
			t.Errorf("%.300s", got)
		}
	}
	if got := s.fetched(); got != s.end {
		t.Errorf("%d bytes fetched, want %d", got, s.end)
	}
}

// The process that fetches is killed. The one that waits for it goes on.
func TestPreparedObjectAfterDeath(t *testing.T) {
	s := startStored(t)
	fetching, both, dead := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s.Intercept(onRequests(s, fetching, both, func() bool {
		select {
		case <-dead:
			return true
		default:
			<-dead
			return false
		}
	}))
	first := exec.Command("bcstage", storedGraph, "--top", "1")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-fetching
	ended := make(chan string)
	go func() {
		output, err := exec.Command("bcstage", storedGraph, "--format", "csv", "-q").CombinedOutput()
		ended <- fmt.Sprint(string(output), err)
	}()
	<-both
	first.Process.Kill()
	first.Wait()
	close(dead)
	if got, want := <-ended, fmt.Sprint(mustRun(t, s.file, "--format", "csv"), nil); got != want {
		t.Errorf("%.300s", got)
	}
}

// onRequests closes fetching at the first request for a piece, and both at the second process's request for the
// checksums. Requests for pieces wait for both, and are answered if answer says so; else their connections are cut, as a
// process that goes on may have sent one of them.
func onRequests(s *stored, fetching, both chan struct{}, answer func() bool) func(http.ResponseWriter, *http.Request) bool {
	var mu sync.Mutex
	var begun sync.Once
	processes := 0
	return func(_ http.ResponseWriter, r *http.Request) bool {
		if s.isLast(r) {
			mu.Lock()
			defer mu.Unlock()
			if processes++; processes == 2 {
				close(both)
			}
			return true
		}
		if _, size := s.pieces(r.Header.Get("Range")); size == 0 {
			return true
		}
		begun.Do(func() { close(fetching) })
		<-both
		if !answer() {
			panic(http.ErrAbortHandler)
		}
		return true
	}
}
