package cli

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/objectstore"
)

func isURL(path string) bool { return strings.Contains(path, "://") }

// local returns the path of file:///path, in which %20 and the like stand for other characters (RFC
// 8089). A path is returned unchanged, and so is the name of an object unless it contains
// credentials. Other URLs are refused, with a program that can read them.
func local(path string) (string, error) {
	scheme, rest, ok := strings.Cut(path, "://")
	if !ok || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+") != "" {
		return path, nil
	}
	switch scheme {
	case "file":
		plain, err := url.PathUnescape(strings.TrimPrefix(rest, "localhost"))
		if err != nil || !strings.HasPrefix(plain, "/") {
			return "", &usageError{fmt.Sprintf("%s: want file:///PATH on this machine", path), "a plain path also works"}
		}
		return filepath.FromSlash(plain), nil
	case objectstore.Scheme:
		if userIn(rest) == "" {
			return path, nil
		}
		return "", &usageError{path + ": the name of an object takes no credentials", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; see docs/objectstores.md"}
	}
	if _, err := os.Lstat(path); err == nil {
		return path, nil // a folder may be called "odd:"
	}
	hint := "copy it to this machine first, or to an object store that speaks S3"
	switch scheme {
	case "http", "https":
		hint = "curl -sSfL URL | bcstage reads what a server sends"
	case "gs", "gcs":
		hint = "AWS_ENDPOINT_URL=https://storage.googleapis.com and an HMAC key make it s3://BUCKET/KEY; or gcloud storage cat URL | bcstage"
	case "s3a", "s3n":
		hint = "s3://BUCKET/KEY is its name here"
	case "hdfs":
		hint = "hdfs dfs -cat URL | bcstage"
	}
	return "", &usageError{fmt.Sprintf("%s: %s:// is not supported here", path, scheme), hint}
}

// localArguments replaces the URLs of local files.
func localArguments(args []string) (err error) {
	for i := range args {
		if args[i], err = local(args[i]); err != nil {
			return err
		}
	}
	return nil
}

// localFlags replaces them in flags and the environment.
func localFlags(c *urfave.Context) error {
	for _, f := range rowsOf(c.Command) {
		if !f.namesFile() && !f.namesFolder() {
			continue
		}
		value := c.String(f.name)
		switch path, err := local(value); {
		case err != nil:
			return err
		case path != value:
			if err := c.Set(f.name, path); err != nil {
				return err
			}
		}
	}
	return nil
}
