package funcs

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Random is the generator behind random() and setseed() of one session:
// xoroshiro128**, so that a seed gives the numbers it gives in PostgreSQL.
// It is safe for concurrent use.
type Random struct {
	mu     sync.Mutex
	s0, s1 uint64
}

// NewRandom makes a generator with an unpredictable seed.
func NewRandom() *Random { return &Random{s0: rand.Uint64() | 1, s1: rand.Uint64()} }

// sharedRandom serves sessions that brought none.
var sharedRandom = NewRandom()

func (fc *Ctx) random() *Random {
	if fc == nil || fc.Random == nil {
		return sharedRandom
	}
	return fc.Random
}

// Seed starts the sequence of a seed between -1 and 1.
func (r *Random) Seed(seed float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := uint64(int64(float64(uint64(1)<<52-1) * seed))
	next := func() uint64 { // splitmix64
		x += 0x9E3779B97f4A7C15
		v := x
		v = (v ^ v>>30) * 0xBF58476D1CE4E5B9
		v = (v ^ v>>27) * 0x94D049BB133111EB
		return v ^ v>>31
	}
	r.s0, r.s1 = next(), next()
	if r.s0 == 0 && r.s1 == 0 {
		r.s0, r.s1 = 0x5851F42D4C957F2D, 0x14057B7EF767814F
	}
}

func (r *Random) uint64() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	s0, sx := r.s0, r.s1^r.s0
	v := bits.RotateLeft64(s0*5, 7) * 9
	r.s0 = bits.RotateLeft64(s0, 24) ^ sx ^ sx<<16
	r.s1 = bits.RotateLeft64(sx, 37)
	return v
}

// Float64 returns a number in [0, 1).
func (r *Random) Float64() float64 { return math.Ldexp(float64(r.uint64()>>12), -52) }

func randomFloat(fc *Ctx, _ []types.Datum) (types.Datum, error) {
	return types.Float(fc.random().Float64()), nil
}

func setSeed(fc *Ctx, args []types.Datum) (types.Datum, error) {
	seed := args[0].Float()
	if !(seed >= -1 && seed <= 1) {
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "setseed parameter %v is out of allowed range [-1,1]", seed)
	}
	fc.random().Seed(seed)
	return void, nil
}

// void is the value of functions that return void: the empty text.
var void = types.Str("")
