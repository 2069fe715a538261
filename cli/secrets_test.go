package cli

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"testing"
)

func TestSecretsInArguments(t *testing.T) {
	for text, want := range map[string]string{
		"edges.csv":                                       "edges.csv",
		"user@host?x=y":                                   "user@host?x=y", // a file's name
		"s3://lake/edges/*.parquet":                       "s3://lake/edges/*.parquet",
		"s3://lake/edge?.parquet":                         "s3://lake/edge?.parquet",
		"https://me:word@host/a/b.csv":                    "https://***@host/a/b.csv",
		"https://me:w@rd@host:99/a":                       "https://***@host:99/a",
		"https://host/a@b.csv":                            "https://host/a@b.csv",
		"https://host:99/a@b.csv":                         "https://host:99/a@b.csv",
		"https://host/a?X-Amz-Signature=12&b=3":           "https://host/a?X-Amz-Signature=***&b=***",
		"https://host/a#access_token=12":                  "https://host/a#access_token=***",
		"https://host/a?b=1#c=2":                          "https://host/a?b=***#c=***",
		"https:/me:word@host/a":                           "https:/***@host/a", // a form of Python's Path
		"https://me:w?o#rd@host/a":                        "https://***@host/a",
		"x://me:word@host/a":                              "x://***@host/a",
		"C:/a@b.csv":                                      "C:/a@b.csv",
		"https://host:99/a?x=1":                           "https://host:99/a?x=***",
		"--output=https://me@host/a?sig=%2F=":             "--output=https://***@host/a?sig=***",
		"https://a:b@c/d,https://e:f@g/h":                 "https://***@g/h",
		"https://a@c/d,https://e@g/h":                     "https://***@c/d,https://***@g/h",
		"s3://AKIAEXAMPLE:abc/def+ghi/jkl@bucket/a b.csv": "s3://***@bucket/a b.csv",
	} {
		if got := secretsOf([]string{text}, nil).mask(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// No message about an argument, whole or in parts, as JSON or HTML, has a credential.
func TestSecretsInWhatIsSaid(t *testing.T) {
	s := secretsOf(
		[]string{"s3://AKIAEXAMPLE:abc/def+\"ghi&jk@bucket/key", "https://h/a?X-Amz-Signature=0123456789abcdef&n=1", "ftp://me:p%40ssword@h"},
		[]string{"AWS_SECRET_ACCESS_KEY=a-long-secret", "AWS_SESSION_TOKEN=s", "https_proxy=http://us:proxyword@proxy:3128", "HOME=/home/AKIA"})
	for said, want := range map[string]string{
		"bucket AKIAEXAMPLE:abc/def+\"ghi&jk@bucket": "bucket ***@bucket",
		`no bucket "AKIAEXAMPLE"`:                    `no bucket "***"`,
		"signature 0123456789abcdef is wrong":        "signature *** is wrong",
		"n=1 stays n=10, 1 stays 1":                  "n=*** stays n=***0, 1 stays 1",
		"a-long-secret.csv, /home/AKIA, s":           "***.csv, /home/AKIA, s",
		"proxy us:proxyword, proxyword":              "proxy ***, ***",
		"p@ssword":                                   "***",
	} {
		if got := s.mask(said); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
	secret := `def+"ghi&jk`
	quoted, _ := json.Marshal(secret)
	for _, said := range []string{secret, string(quoted), html.EscapeString(secret)} {
		var out bytes.Buffer
		if n, err := s.writer(&out).Write([]byte(said)); n != len(said) || err != nil || strings.Contains(out.String(), "ghi") {
			t.Errorf("%s: %s, %d bytes of %d, %v", said, out.String(), n, len(said), err)
		}
	}
	if none := secretsOf([]string{"edges.csv", "s3://lake/a"}, []string{"AWS_ENDPOINT_URL=https://s3.example.com"}); none.replace != nil {
		t.Error("secrets where there are none")
	}
}
