package cli

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"

	"bcstage/internal/expression"
)

// secrets hides the credentials in a process's arguments and environment, in all that it writes
// about itself: messages, statistics, metrics, pages. Scores and other data pass unchanged.
type secrets struct {
	replace *strings.Replacer // nil: there are none
}

const hidden = "***"

// leastSecret is the least length of a credential that is hidden without its context: a shorter one
// is part of too many words.
const leastSecret = 6

// secretsOf finds the credentials in arguments and in variables, NAME=VALUE.
func secretsOf(args, environment []string) secrets {
	found := map[string]string{} // by text: its replacement
	for _, arg := range args {
		findInURLs(found, arg)
	}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case name == "AWS_SECRET_ACCESS_KEY" || name == "AWS_SESSION_TOKEN":
			hide(found, value)
		case strings.HasPrefix(name, "BCSTAGE_") || strings.HasPrefix(name, "AWS_") || strings.HasSuffix(strings.ToUpper(name), "_PROXY"):
			findInURLs(found, value)
		}
	}
	if len(found) == 0 {
		return secrets{}
	}
	for text, in := range maps.Clone(found) { // their forms in JSON and HTML
		quoted, err := json.Marshal(text)
		if err == nil {
			found[string(quoted[1:len(quoted)-1])] = in
		}
		found[html.EscapeString(text)] = in
	}
	var pairs []string
	texts := slices.Sorted(maps.Keys(found))
	sort.SliceStable(texts, func(i, j int) bool { return len(texts[i]) > len(texts[j]) })
	for _, text := range texts {
		pairs = append(pairs, text, found[text])
	}
	return secrets{strings.NewReplacer(pairs...)}
}

// hide hides a credential by itself, if it is long enough, also in its percent-encoded and decoded
// forms.
func hide(found map[string]string, secret string) {
	if len(secret) < leastSecret {
		return
	}
	found[secret] = hidden
	if plain, err := url.PathUnescape(secret); err == nil && len(plain) >= leastSecret {
		found[plain] = hidden
	}
	found[url.QueryEscape(secret)] = hidden
}

// findInURLs finds the credentials in the URLs of a text: user and password, and every value after a
// question mark or a hash, as in signed URLs and tokens.
func findInURLs(found map[string]string, text string) {
	for _, begin := range urlBegin().FindAllStringIndex(text, -1) {
		rest := text[begin[1]:]
		place, query := rest, ""
		if at := strings.IndexAny(rest, "?#"); at >= 0 {
			place, query = rest[:at], rest[at+1:]
		}
		user := userIn(place)
		if user == "" && strings.Contains(place, ":") { // the mark may belong to the password
			user = userIn(rest)
		}
		if user != "" {
			found[user+"@"] = hidden + "@"
			name, password, both := strings.Cut(user, ":")
			if both {
				found[user] = hidden
			}
			for _, part := range append(strings.Split(password, "/"), name, password) { // error messages may split a path at its slashes
				hide(found, part)
			}
		}
		for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == '#' }) {
			name, value, set := strings.Cut(pair, "=")
			if !set || value == "" {
				continue
			}
			found[pair] = name + "=" + hidden
			if secretName().MatchString(name) {
				hide(found, value)
			}
		}
	}
}

// urlBegin matches the beginning of a URL, also after functions for paths have merged two slashes.
var urlBegin = expression.Lazy(`(?i)[a-z0-9+.-]{2,}:/+|://+`)

// userIn returns the part before the @ of a URL's host: USER or USER:PASSWORD; "" if there is none.
// A password may contain a slash, as secret keys do, so it is searched up to the last @.
func userIn(place string) string {
	host, _, _ := strings.Cut(place, "/")
	_, port, colon := strings.Cut(host, ":")
	if colon && strings.Trim(port, "0123456789") != "" {
		host = place
	}
	return host[:max(strings.LastIndex(host, "@"), 0)]
}

// secretName matches the parameters of a URL whose values are hidden everywhere.
var secretName = expression.Lazy(`(?i)sig|token|secret|key|pass|cred|auth`)

// mask returns a text without the credentials.
func (s secrets) mask(text string) string {
	if s.replace == nil {
		return text
	}
	return s.replace.Replace(text)
}

// writer passes on data without the credentials. Each message must be written at once.
func (s secrets) writer(w io.Writer) io.Writer {
	if s.replace == nil {
		return w
	}
	return masked{w, s}
}

type masked struct {
	to      io.Writer
	secrets secrets
}

func (m masked) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.to, m.secrets.mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// whole collects the text of write, and passes it on without the credentials.
func (s secrets) whole(w io.Writer, write func(io.Writer) error) error {
	if s.replace == nil {
		return write(w)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	_, err := io.WriteString(w, s.mask(text.String()))
	return err
}
