package objectstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"bcstage/cli/internal/objectstore"
	"bcstage/cli/internal/objectstore/storetest"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func random(n int) []byte {
	data := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(data)
	return data
}

// The store behaves as every user of fs.FS expects.
func TestFS(t *testing.T) {
	server := storetest.Start(t)
	keys := []string{"lake/year=1/part-0.csv", "lake/year=1/part-1.csv", "lake/year=2/part-0.csv", "top.csv"}
	for i, key := range keys {
		server.Put(t, key, []byte(strings.Repeat("x", i)))
	}
	bucket, err := fs.Sub(objectstore.New(t.Context(), 0), "bucket")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(bucket, keys...); err != nil {
		t.Error(err)
	}
}

// Some tools create empty objects that stand for folders.
func TestFolderMarkersAreNoFiles(t *testing.T) {
	server := storetest.Start(t)
	server.Put(t, "lake/part.csv", []byte("1,2\n"))
	marker := false
	server.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("list-type") != "2" {
			return true
		}
		marker = true
		io.WriteString(w, `<ListBucketResult><Name>bucket</Name><Prefix>lake/</Prefix><KeyCount>2</KeyCount><IsTruncated>false</IsTruncated>
<Contents><Key>lake/</Key><Size>0</Size></Contents><Contents><Key>lake/part.csv</Key><Size>4</Size></Contents></ListBucketResult>`)
		return false
	})
	entries, err := fs.ReadDir(objectstore.New(t.Context(), 0), "bucket/lake")
	if err != nil || !marker || len(entries) != 1 || entries[0].Name() != "part.csv" {
		t.Error(entries, err)
	}
}

// One ReadAt is one request for those bytes and no others.
func TestRanges(t *testing.T) {
	server := storetest.Start(t)
	data := random(300_000)
	server.Put(t, "data", data)
	file, err := objectstore.New(t.Context(), 0).Open("bucket/data")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	server.Requests()
	for _, part := range [][2]int{{0, 1}, {299_999, 300_000}, {1000, 200_000}, {0, 300_000}} {
		got := make([]byte, part[1]-part[0])
		if _, err := file.(io.ReaderAt).ReadAt(got, int64(part[0])); err != nil || !bytes.Equal(got, data[part[0]:part[1]]) {
			t.Errorf("%v: %v", part, err)
		}
		want := []storetest.Request{{Method: "GET", Path: "/bucket/data", Range: fmt.Sprintf("bytes=%d-%d", part[0], part[1]-1)}}
		if requests := server.Requests(); !slices.Equal(requests, want) {
			t.Errorf("%v: %v, want %v", part, requests, want)
		}
	}
	if n, err := file.(io.ReaderAt).ReadAt(make([]byte, 10), 299_995); n != 5 || err != io.EOF {
		t.Errorf("beyond the end: %d bytes, %v", n, err)
	}
	server.Put(t, "data", random(300_001)[1:])
	if _, err := file.(io.ReaderAt).ReadAt(make([]byte, 10), 0); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("replaced between two reads: %v", err)
	}
}

// A connection that breaks off is resumed at the break.
func TestBrokenBodies(t *testing.T) {
	server := storetest.Start(t)
	data := random(100_000)
	server.Put(t, "data", data)
	file, err := objectstore.New(t.Context(), 0).Open("bucket/data")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	broken := 0
	server.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		var first, last int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last); err != nil || last-first < 20_000 {
			return true
		}
		broken++
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(data)))
		w.Header().Set("Content-Length", strconv.Itoa(last-first+1))
		w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
		w.WriteHeader(http.StatusPartialContent)
		w.Write(data[first : first+20_000])
		panic(http.ErrAbortHandler)
	})
	got := make([]byte, len(data))
	if _, err := file.(io.ReaderAt).ReadAt(got, 0); err != nil || !bytes.Equal(got, data) || broken == 0 {
		t.Errorf("%d connections broken: %v", broken, err)
	}
}

// An object of any size appears when it is committed and not before.
func TestUpload(t *testing.T) {
	server := storetest.Start(t)
	for _, size := range []int{0, 1, 16 << 20, 16<<20 + 1, 50 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			key, data := fmt.Sprint("out", size), random(size)
			upload, err := objectstore.New(t.Context(), 0).Create(t.Context(), "bucket/"+key)
			if err != nil {
				t.Fatal(err)
			}
			for piece := range slices.Chunk(data, 1<<20-7) {
				if _, err := upload.Write(piece); err != nil {
					t.Fatal(err)
				}
			}
			if server.Get(t, key) != nil {
				t.Error("there before it is committed")
			}
			if err := upload.Commit(); err != nil {
				t.Fatal(err)
			}
			if err := upload.Abort(); err != nil {
				t.Error("abort after commit:", err)
			}
			if got := server.Get(t, key); !bytes.Equal(got, data) || got == nil {
				t.Errorf("%d bytes arrived", len(got))
			}
		})
	}
	if uploads := server.Uploads(t); len(uploads) > 0 {
		t.Error("left behind:", uploads)
	}
}

func isPart(r *http.Request) bool {
	return r.Method == http.MethodPut && r.URL.Query().Has("partNumber")
}

// An aborted upload, one whose context ends, or one with a refused part leaves nothing: neither an
// object nor parts that cost money.
func TestNothingIsLeft(t *testing.T) {
	data := random(40 << 20)
	for _, test := range []struct {
		name string
		ends func(server *storetest.Server, cancel context.CancelFunc)
	}{
		{"given up", func(*storetest.Server, context.CancelFunc) {}},
		{"cancelled", func(server *storetest.Server, cancel context.CancelFunc) {
			server.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
				if isPart(r) {
					cancel()
				}
				return true
			})
		}},
		// A part that has arrived is answered before the upload is forgotten: otherwise a server
		// that is storing it may keep it.
		{"cancelled when sent", func(server *storetest.Server, cancel context.CancelFunc) {
			server.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
				if !isPart(r) {
					return true
				}
				part, err := io.ReadAll(r.Body)
				if err != nil {
					return false
				}
				r.Body = io.NopCloser(bytes.NewReader(part))
				cancel()
				select {
				case <-r.Context().Done():
					t.Error("the client did not wait for the answer")
				case <-time.After(100 * time.Millisecond): // enough for most that would not
				}
				return true
			})
		}},
		{"part denied", func(server *storetest.Server, _ context.CancelFunc) {
			server.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Query().Get("partNumber") == "2" {
					return storetest.Deny(w, r)
				}
				return true
			})
		}},
		{"end denied", func(server *storetest.Server, _ context.CancelFunc) {
			server.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodPost && r.URL.Query().Has("uploadId") {
					return storetest.Deny(w, r)
				}
				return true
			})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := storetest.Start(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			test.ends(server, cancel)
			store := objectstore.New(ctx, 0)
			store.AbortWait = time.Hour // the server answers, perhaps late
			upload, err := store.Create(ctx, "bucket/out")
			if err != nil {
				t.Fatal(err)
			}
			_, err = upload.Write(data)
			if err == nil && test.name != "given up" {
				err = upload.Commit()
			}
			if (err == nil) != (test.name == "given up") {
				t.Error(err)
			}
			if begun := server.Uploads(t); len(begun) != 1 {
				t.Errorf("%d uploads before the abort", len(begun))
			}
			if aborted := upload.Abort(); aborted != nil {
				t.Error(aborted)
			}
			if server.Get(t, "out") != nil || len(server.Uploads(t)) > 0 {
				t.Error("left behind:", server.Uploads(t))
			}
		})
	}
}

// A commit that is aborted is not repeated.
func TestAbortBesideCommit(t *testing.T) {
	server := storetest.Start(t)
	upload, err := objectstore.New(t.Context(), 0).Create(t.Context(), "bucket/out")
	if err == nil {
		_, err = upload.Write([]byte("small"))
	}
	if err != nil {
		t.Fatal(err)
	}
	server.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		server.Intercept(nil)
		if err := upload.Abort(); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusServiceUnavailable) // worth a retry, for clients that want one
		return false
	})
	if err := upload.Commit(); err == nil || server.Get(t, "out") != nil {
		t.Errorf("error %v, and %q is there", err, server.Get(t, "out"))
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, object string
		environment  map[string]string
		denied       bool
		class        error
		says         string
	}{
		{name: "no object", object: "bucket/none", class: fs.ErrNotExist, says: "s3://bucket/none: no such object"},
		{name: "no bucket", object: "nowhere/none", class: fs.ErrNotExist, says: "s3://nowhere/none: no such bucket"},
		{name: "no key", object: "bucket/a//b", class: objectstore.ErrName, says: "want s3://BUCKET/KEY"},
		{name: "denied", object: "bucket/data", denied: true, class: fs.ErrPermission, says: "s3://bucket/data: access denied"},
		{name: "no credentials", object: "bucket/data", environment: map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""},
			class: objectstore.ErrNoCredentials, says: "s3://bucket/data: access denied, and no credentials found"},
		{name: "wrong key", object: "bucket/data", environment: map[string]string{"AWS_ACCESS_KEY_ID": "AKIAWRONGWRONGWRONG0"}, says: "access key"},
		{name: "wrong secret", object: "bucket/data", environment: map[string]string{"AWS_SECRET_ACCESS_KEY": "wrong-but-secret-too"}, class: fs.ErrPermission, says: "the secret key does not match the access key"},
		{name: "no server", object: "bucket/data", environment: map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, class: objectstore.ErrUnreachable, says: "127.0.0.1:1"},
		{name: "no endpoint", object: "bucket/data", environment: map[string]string{"AWS_ENDPOINT_URL_S3": "localhost:9000"}, class: objectstore.ErrEndpoint},
		{name: "password in the endpoint", object: "bucket/data", environment: map[string]string{"AWS_ENDPOINT_URL": "http://me:hunter2@localhost"}, class: objectstore.ErrEndpoint},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := storetest.Start(t)
			server.Put(t, "data", []byte("x"))
			for name, value := range test.environment {
				t.Setenv(name, value)
			}
			if test.denied {
				server.Intercept(storetest.Deny)
			}
			store := objectstore.New(t.Context(), 0)
			_, err := store.Open(test.object)
			if err == nil || test.class != nil && !errors.Is(err, test.class) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("reading: %v", err)
			}
			writing := store.Check(t.Context(), test.object)
			if test.name == "no object" {
				if writing != nil {
					t.Error(writing)
				}
				return
			}
			if writing == nil || test.class != nil && !errors.Is(writing, test.class) {
				t.Errorf("writing: %v", writing)
			}
			for _, secret := range []string{storetest.Secret, storetest.Key, "wrong-but-secret-too", "hunter2", "AKIAWRONG"} {
				if text := fmt.Sprint(err, writing); strings.Contains(text, secret) {
					t.Errorf("%q shows %q", text, secret)
				}
			}
		})
	}
}

// The shared credentials file is used if the environment has no credentials.
func TestSharedCredentials(t *testing.T) {
	server := storetest.Start(t)
	server.Put(t, "data", []byte("x"))
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_PROFILE", "work")
	path := t.TempDir() + "/credentials"
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", path)
	writeFile(t, path, "[default]\naws_access_key_id = AKIAWRONG\naws_secret_access_key = wrong\n[work]\naws_access_key_id = "+storetest.Key+"\naws_secret_access_key = "+storetest.Secret+"\n")
	if data, err := fs.ReadFile(objectstore.New(t.Context(), 0), "bucket/data"); err != nil || string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
	// An invalid file is not quoted.
	writeFile(t, path, "[work]\n"+storetest.Secret+"\n")
	if _, err := fs.ReadFile(objectstore.New(t.Context(), 0), "bucket/data"); !errors.Is(err, objectstore.ErrNoCredentials) || strings.Contains(err.Error(), storetest.Secret) {
		t.Error(err)
	}
}
