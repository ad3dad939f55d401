package admission_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/admission"
)

// TestMeter checks what is expected after what was seen.
func TestMeter(t *testing.T) {
	var m admission.Meter
	if _, known := m.Expect(100); known {
		t.Error("a cost is known of what was never seen")
	}
	m.Observe(100, admission.Cost{Time: time.Millisecond, Bytes: 1000})
	if got, known := m.Expect(100); !known || got != (admission.Cost{Time: time.Millisecond, Bytes: 1000}) {
		t.Errorf("after one request %v, %t", got, known)
	}
	if _, known := m.Expect(200); known {
		t.Error("a cost is known of another size")
	}
	if _, known := m.Expect(127); !known {
		t.Error("no cost is known of nearly the same size")
	}
	for range 100 {
		m.Observe(100, admission.Cost{Time: 10 * time.Millisecond, Bytes: 5000})
	}
	if got, _ := m.Expect(100); got.Time < 9*time.Millisecond || got.Time > 10*time.Millisecond || got.Bytes < 4500 {
		t.Errorf("after many longer requests %v", got)
	}
	m.Observe(100, admission.Cost{Time: time.Millisecond, Bytes: 100})
	if got, _ := m.Expect(100); got.Time < 8*time.Millisecond || got.Bytes < 4000 {
		t.Errorf("after one short request %v; it counts too much", got)
	}
	m.Observe(-5, admission.Cost{Time: 1})
	if _, known := m.Expect(0); !known {
		t.Error("a negative size is not taken as none")
	}
}

// TestMixedWork checks that a caller cannot make expensive work look cheap with
// cheap requests of the same size beside it, unless hardly any is expensive.
func TestMixedWork(t *testing.T) {
	var m admission.Meter
	for i := range 1000 {
		cost := admission.Cost{Time: 100 * time.Microsecond}
		if i%10 == 0 {
			cost.Time = 30 * time.Millisecond
		}
		m.Observe(1, cost)
		if got, _ := m.Expect(1); i > 100 && got.Time < 500*time.Microsecond {
			t.Fatalf("%v is expected after %d requests of which a tenth takes 30ms", got.Time, i)
		}
	}
}

// TestStint checks that stints count the work of this goroutine alone.
func TestStint(t *testing.T) {
	stint := admission.BeginStint()
	time.Sleep(20 * time.Millisecond)
	if took := stint.End(); runtime.GOOS == "linux" && took > 10*time.Millisecond {
		t.Errorf("sleeping took %v of a processor", took)
	}
	stint = admission.BeginStint()
	for began := time.Now(); time.Since(began) < 20*time.Millisecond; {
	}
	if took := stint.End(); took == 0 {
		t.Error("work took no time of a processor")
	}
}
