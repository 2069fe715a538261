package cli

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

func isURL(path string) bool { return strings.Contains(path, "://") }

// local is the path of file:///path, in which %20 and the like stand for other
// characters (RFC 8089). What does not begin so stays as it is.
func local(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "file://")
	if !ok {
		return path, nil
	}
	rest = strings.TrimPrefix(rest, "localhost")
	plain, err := url.PathUnescape(rest)
	if err != nil || !strings.HasPrefix(plain, "/") {
		return "", &usageError{fmt.Sprintf("%s: want file:///PATH, of this machine", path), "a path alone will do, too"}
	}
	return filepath.FromSlash(plain), nil
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

// localFlags does the same to what flags and the environment hold.
func localFlags(c *urfave.Context) error {
	for _, flag := range c.Command.Flags {
		text, ok := flag.(*urfave.StringFlag)
		if !ok {
			continue
		}
		value := c.String(text.Name)
		switch path, err := local(value); {
		case err != nil:
			return err
		case path != value:
			if err := c.Set(text.Name, path); err != nil {
				return err
			}
		}
	}
	return nil
}
