package cli

import "testing"

func TestBytesOf(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "1": 1, "2000000000": 2000000000, "500M": 500 << 20, "1.5GiB": 3 << 29, "8g": 8 << 30, "1 TB": 1 << 40, "7kib": 7 << 10,
	} {
		if got, err := bytesOf(text); err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"G", "0", "-1", "1X", "1GG", "1iB", "NaN", "1e30", "12 bananas", "0.1"} {
		if got, err := bytesOf(text); err == nil {
			t.Errorf("%q: %d, want an error", text, got)
		}
	}
}
