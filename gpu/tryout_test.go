package gpu

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/wave"
)

// lying is a driver that changes one of eight scores it reads back, or one of so many numbers.
type lying struct {
	simulator
	score   func(uint64) uint64 // bits of a float64
	numbers int                 // 0: eight
}

type lyingQueue struct {
	driver.Queue
	score   func(uint64) uint64
	numbers int
}

func (l *lying) open(driver.Device) (driver.Driver, error) { return l, nil }

func (l *lying) Queue() (driver.Queue, error) {
	q, err := l.simulator.Queue()
	return lyingQueue{q, l.score, cmp.Or(l.numbers, 8)}, err
}

func (q lyingQueue) Read(from driver.Buffer, offset int, data []byte) error {
	err := q.Queue.Read(from, offset, data)
	if len(data) == 8*q.numbers { // the scores of the ladder
		third := data[8*3:]
		binary.LittleEndian.PutUint64(third, q.score(binary.LittleEndian.Uint64(third)))
	}
	return err
}

// A lying device is not used for blocks with chains or lengths either: cores take them.
func TestLyingDeviceLater(t *testing.T) {
	for i := range 4 {
		plan, strategy, lies := roads(t, 64), methods.Chains, i%2 > 0
		if i > 1 {
			plan, strategy = measured(), methods.Lengths
		}
		opened := &lying{score: func(bits uint64) uint64 { return bits }}
		options, err := Options{MinBlock: 1}.check()
		if err != nil {
			t.Fatal(err)
		}
		s, err := openAll(t.Context(), []driver.Device{simulatedDevice()}, options, opened.open)
		if err != nil {
			t.Fatal(err)
		}
		if lies {
			opened.score = func(bits uint64) uint64 { return bits ^ 1<<48 }
		}
		choice := engineOf(t, s, plan).Choices()[0]
		if choice.Strategy != string(strategy) || strings.Contains(choice.Declined, "a known score is") != lies {
			t.Errorf("%s, lies %v: %+v", strategy, lies, choice)
		}
		s.Close()
	}
}

// A device that gives wrong edge scores for the ladder is not used, by any strategy.
func TestLyingDeviceOfEdges(t *testing.T) {
	for _, strategy := range methods.Strategies() {
		options, err := forFlows(Options{Strategy: strategy}).check()
		if err != nil {
			t.Fatal(err)
		}
		for _, lie := range []uint64{0, 1 << 48} {
			opened := &lying{score: func(bits uint64) uint64 { return bits ^ lie }, numbers: len(ladderEdges)}
			s, err := openAll(t.Context(), []driver.Device{simulatedDevice()}, options, opened.open)
			if lie == 0 && err == nil {
				s.Close()
				continue
			}
			if lie == 0 || !errors.Is(err, driver.ErrDevice) || !strings.Contains(err.Error(), "a known score of an edge is") {
				t.Errorf("strategy %s, lie %x: error %v", strategy, lie, err)
			}
		}
	}
}

// A device that gives wrong scores for the ladder is not used.
func TestLyingDevice(t *testing.T) {
	for _, strategy := range []wave.Strategy{methods.Auto, methods.Levels, methods.Frontier} {
		options, err := Options{Strategy: strategy}.check()
		if err != nil {
			t.Fatal(err)
		}
		for name, score := range map[string]func(uint64) uint64{
			"another": func(bits uint64) uint64 { return bits ^ 1<<48 },
			"NaN":     func(uint64) uint64 { return math.Float64bits(math.NaN()) },
			"inf":     func(uint64) uint64 { return math.Float64bits(math.Inf(1)) },
		} {
			_, err = openAll(t.Context(), []driver.Device{simulatedDevice()}, options, (&lying{score: score}).open)
			if !errors.Is(err, driver.ErrDevice) || !strings.Contains(err.Error(), "a known score is") {
				t.Errorf("strategy %s, %s: error %v", strategy, name, err)
			}
		}
	}
}
