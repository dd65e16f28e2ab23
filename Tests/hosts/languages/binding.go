// What the Go binding promises beyond the table of cases: binding, in the root of the repository.
//
// Prints what fails and, last, "N passed, N failed".
package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"

	"alidade"
)

const (
	elevation = "examples/quickstart/data/Shasta_Elevation.tif"
	countries = "examples/world_identify/data/countries.fgb"
)

var passed, failed int

func check(holds bool, what string) {
	if holds {
		passed++
		return
	}
	failed++
	fmt.Println("FAILED ", what)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func square(runtime alidade.Runtime) alidade.Geometry {
	wkt := "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"
	return must(alidade.GeometryCreateFromWkt(runtime, wkt, alidade.SpatialReference{}))
}

func checkErrors(runtime alidade.Runtime) {
	_, err := alidade.RasterOpen(runtime, "missing.tif", nil)
	var failure *alidade.Error
	check(errors.Is(err, alidade.StatusNotFound), "errors.Is finds the status")
	check(!errors.Is(err, alidade.StatusReadFailed), "and no other")
	check(errors.As(err, &failure) && failure.Argument == 2, "an error has the position of its argument")
	check(failure.Domain == alidade.ErrorDomainSystem && failure.DomainCode == 2, "and the system's code")
	check(strings.Contains(err.Error(), "missing.tif"), "it shows its message")
	check(alidade.StatusNotFound.Error() == "ALD_STATUS_NOT_FOUND", "a status shows its name")
	_, err = alidade.RasterOpen(runtime, "a\x00b", nil)
	check(errors.Is(err, alidade.StatusInvalidArgument), "a text with a NUL is refused")
	source := must(alidade.FeatureSourceOpen(runtime, countries, nil))
	_, err = source.Query(&alidade.FeatureQuery{Where: "a\x00b"})
	check(err != nil && strings.Contains(err.Error(), "NUL"), "so is one in a struct")
	layer := must(alidade.RasterLayerCreateFromPath(runtime, "missing.tif", nil))
	check(layer.Load() != nil, "a layer without a file does not load")
	info := must(layer.GetLoadInfo())
	check(errors.Is(info.Error.Error(), alidade.StatusNotFound), "the error inside a struct is one like others")
}

func checkSizes(runtime alidade.Runtime) {
	degrees := must(alidade.SpatialReferenceCreate(runtime, "EPSG:4326"))
	mercator := must(alidade.SpatialReferenceCreate(runtime, "EPSG:3857"))
	points, images := make([]alidade.Point, 2), make([]alidade.Point, 2)
	err := degrees.ProjectPoints(mercator, points, images[:1], nil)
	check(err != nil && strings.Contains(err.Error(), "out_xy"), "an array that is too small is refused")
	err = degrees.ProjectPoints(mercator, points, images, make([]alidade.PointStatus, 1))
	check(err != nil && strings.Contains(err.Error(), "out_statuses"), "so is a second one")
	check(degrees.ProjectPoints(mercator, points, images, nil) == nil, "but not an empty one")
	err = degrees.GeodesicInverse(0, points, points[:1], nil, nil, nil)
	check(err != nil && strings.Contains(err.Error(), "to_xy"), "arrays with one count have one size")
	array := must(alidade.GeometryArrayCreateFromGeometries(runtime, []alidade.Geometry{square(runtime), square(runtime)}))
	err = array.Lengths(nil, make([]float64, 1))
	check(errors.Is(err, alidade.StatusBufferTooSmall), "an array with a capacity is checked by the library")
}

func checkStructs(runtime alidade.Runtime) {
	source := must(alidade.FeatureSourceOpen(runtime, countries, nil))
	query := alidade.FeatureQuery{Flags: alidade.FeatureQueryFlagsHasIds, Ids: []int64{3, 5, 8}}
	set := must(source.Query(&query))
	check(reflect.DeepEqual(must(set.GetColumns()).Ids, query.Ids), "an array in a struct goes in and comes out")

	policy := alidade.Policy{Drivers: []string{"GTiff"}}
	strict := must(alidade.RuntimeCreate(&alidade.RuntimeOptions{Policy: &policy}))
	defer strict.Release()
	_, err := alidade.FeatureSourceOpen(strict, countries, nil)
	check(errors.Is(err, alidade.StatusPolicyRefused), "a struct in a struct, with an array of texts")
	_, err = alidade.RasterOpen(strict, elevation, nil)
	check(err == nil, "and what it allows")

	columns := must(square(runtime).GetColumns())
	check(reflect.DeepEqual(columns.Xy, []float64{0, 0, 4, 0, 4, 4, 0, 4, 0, 0}), "coordinates come out")
	made := must(alidade.GeometryCreate(runtime, &columns, alidade.SpatialReference{}))
	check(must(made.Area(nil)) == 16, "and go in")
	columns.Z = []float64{1}
	_, err = alidade.GeometryCreate(runtime, &columns, alidade.SpatialReference{})
	check(err != nil && strings.Contains(err.Error(), "sizes"), "columns of different sizes are refused")

	overlay := must(alidade.GraphicsOverlayCreate(runtime, nil))
	array := must(alidade.GeometryArrayCreateFromGeometries(runtime, []alidade.Geometry{square(runtime), square(runtime)}))
	names := alidade.GraphicAttributes{Name: "name", Type: alidade.GraphicValueTypeText, Texts: []string{"one", "Straße"}}
	graphics := alidade.GraphicColumns{ZIndexes: []int32{1, 2}, Attributes: []alidade.GraphicAttributes{names}}
	first := must(overlay.AddGraphics(array, &graphics))
	_, text, err := overlay.FindAttribute(first+1, "name")
	check(err == nil && text == "Straße", "an array of structs with arrays")
	graphics.ZIndexes = graphics.ZIndexes[:1]
	_, err = overlay.AddGraphics(array, &graphics)
	check(err != nil, "arrays inside of them have the same size")
	renderer := alidade.GraphicsRenderer{
		Kind:    alidade.GraphicsRendererKindUniqueValue,
		Fields:  []string{"name"},
		Symbols: make([]alidade.Symbol, 1),
		Values:  []alidade.GraphicValue{{Type: alidade.GraphicValueTypeText, Text: "one"}},
	}
	check(overlay.SetRenderer(&renderer) == nil, "texts in an array of structs")
}

func checkObjects(runtime alidade.Runtime) {
	before := must(runtime.GetHandleCount())
	layer := must(alidade.RasterLayerCreateFromPath(runtime, elevation, nil))
	shown := must(alidade.MapCreate(runtime, alidade.SpatialReference{}))
	must(0, shown.AddLayer(layer))
	check(must(shown.GetLayerAt(0)) == layer, "handles are equal if they name the same object")
	layer.Release()
	check(must(must(shown.GetLayerAt(0)).GetInfo()).Kind == alidade.LayerKindRaster, "the map keeps its layer")
	check(must(must(shown.GetLayerAt(0)).GetInfo()).Group.IsNull(), "a null handle says so")
	shown.Release()
	shown.Release()
	_, err := shown.GetLayerCount()
	check(errors.Is(err, alidade.StatusInvalidHandle), "a handle whose object has gone is an error")
	check(must(runtime.GetHandleCount()) == before, "all objects were released")
}

// checkGoroutines uses one view from many goroutines, while the garbage collector runs.
func checkGoroutines(runtime alidade.Runtime) {
	shown := must(alidade.MapCreate(runtime, must(alidade.SpatialReferenceCreate(runtime, "EPSG:3857"))))
	layer := must(alidade.RasterLayerCreateFromPath(runtime, elevation, nil))
	must(0, layer.Load())
	must(0, shown.AddLayer(layer))
	must(0, shown.SetInitialLocation(40.7624, -122.1621, 72000))
	view := must(alidade.ViewCreate(shown, &alidade.ViewOptions{WidthDip: 800, HeightDip: 600}))
	var group sync.WaitGroup
	var wrong atomic.Int32
	for worker := 0; worker < 8; worker++ {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			for count := 0; count < 200; count++ {
				result := must(view.Identify(alidade.Point{X: 400, Y: 300}, 0, 0, nil))
				text := must(result.GetElementAt(0)).Text
				_, err := alidade.RasterOpen(runtime, fmt.Sprint("missing", worker), nil)
				if !strings.HasPrefix(text, "Band 1: 437.71") || !strings.Contains(err.Error(), fmt.Sprint("missing", worker)) {
					wrong.Add(1)
				}
				result.Release()
				if count%50 == 0 {
					goruntime.GC()
				}
			}
		}(worker)
	}
	group.Wait()
	check(wrong.Load() == 0, "eight goroutines find the same, and their own errors")
}

// residentPages reads how much memory the process has.
func residentPages() (pages int) {
	var all int
	must(fmt.Sscan(string(must(os.ReadFile("/proc/self/statm"))), &all, &pages))
	return pages
}

func checkMemory(runtime alidade.Runtime) {
	source := must(alidade.FeatureSourceOpen(runtime, countries, nil))
	// A condition of 100 KB, refused at its end.
	query := alidade.FeatureQuery{Where: strings.Repeat(" ", 100_000) + "("}
	refused := func(times int) (count int) {
		for ; times > 0; times-- {
			if _, err := source.QueryCount(&query); err != nil {
				count++
			}
		}
		return count
	}
	refused(100)
	before := residentPages()
	check(refused(1000) == 1000, "the condition is refused")
	// 100 MB would be 25,000 pages.
	check(residentPages()-before < 5000, "the memory of arguments is freed")
}

func checkRequests(runtime alidade.Runtime) {
	var calls []alidade.Request
	noted := &alidade.RequestOptions{OnDone: func(done alidade.Request) { calls = append(calls, done) }}
	panics := &alidade.RequestOptions{OnDone: func(done alidade.Request) { panic("as the test wants") }}
	first := must(alidade.RasterOpenAsync(runtime, elevation, nil, panics))
	second := must(alidade.RasterOpenAsync(runtime, "missing.tif", nil, noted))
	must(first.Wait(alidade.All))
	must(second.Wait(alidade.All))
	check(len(calls) == 0, "functions are called by Pump alone")
	var why any
	func() {
		defer func() { why = recover() }()
		runtime.Pump(alidade.All)
	}()
	check(why == "as the test wants", "a panic goes on when Pump has returned")
	must(runtime.Pump(alidade.All))
	check(reflect.DeepEqual(calls, []alidade.Request{second}), "and the other function was called")
	raster := must(first.TakeRaster())
	check(must(raster.GetInfo()).BandCount == 1, "the result can be taken")
	_, err := second.TakeRaster()
	check(errors.Is(err, alidade.StatusNotFound), "and the error")
	layer := must(alidade.GroupLayerCreate(runtime))
	layer.Release()
	_, err = layer.LoadAsync(noted)
	check(errors.Is(err, alidade.StatusInvalidHandle), "a request that does not begin is an error")
}

func checkReceipts(runtime alidade.Runtime) {
	a := must(alidade.GeometryCreateFromWkt(runtime, "POINT (1 2)", must(alidade.SpatialReferenceCreate(runtime, "EPSG:4326"))))
	b := must(alidade.GeometryCreateFromWkt(runtime, "POINT (0 0)", must(alidade.SpatialReferenceCreate(runtime, "EPSG:3857"))))
	_, receipt, err := a.DistanceWithReceipt(b, nil)
	check(err == nil && must(receipt.GetInfo()).OperationCount == 1, "a receipt comes on request")
}

func main() {
	runtime := must(alidade.RuntimeCreate(nil))
	checkErrors(runtime)
	checkSizes(runtime)
	checkStructs(runtime)
	checkObjects(runtime)
	checkGoroutines(runtime)
	checkMemory(runtime)
	checkRequests(runtime)
	checkReceipts(runtime)
	runtime.Release()
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
