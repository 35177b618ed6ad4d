package geom

import "testing"

var sinkGeometry *Geometry
var sinkPoint LonLat

func BenchmarkFromPropertyPoint(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sinkGeometry, _ = FromProperty(`{"type": "Point", "coordinates": [13.404954, 52.520008]}`)
	}
}

func BenchmarkPropertyPoint(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sinkPoint, _ = PropertyPoint(`{"type": "Point", "coordinates": [13.404954, 52.520008]}`)
	}
}

func BenchmarkFromPropertyPointOtherOrder(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sinkGeometry, _ = FromProperty(`{"coordinates": [13.404954, 52.520008], "type": "Point"}`)
	}
}
