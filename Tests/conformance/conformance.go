// Runs the table of cases in Go: conformance CASES, in the root of the repository.
//
// Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the operations.
package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"alidade"
)

// case_ is a case that runs: a runtime, the arguments, and the values that were found.
type case_ struct {
	runtime   alidade.Runtime
	arguments []string
	found     []any
}

// check ends an operation that fails; values catches it.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// Arguments

func (c *case_) number(index int) float64 {
	return must(strconv.ParseFloat(c.arguments[index], 64))
}

func (c *case_) isGiven(index int) bool {
	return c.arguments[index] != "-"
}

func (c *case_) numberOrZero(index int) float64 {
	if !c.isGiven(index) {
		return 0
	}
	return c.number(index)
}

func (c *case_) point(index int) alidade.Point {
	return alidade.Point{X: c.number(index), Y: c.number(index + 1)}
}

func (c *case_) points(index int) (points []alidade.Point) {
	for ; index < len(c.arguments); index += 2 {
		points = append(points, c.point(index))
	}
	return points
}

func (c *case_) reference(index int) alidade.SpatialReference {
	if !c.isGiven(index) {
		return alidade.SpatialReference{}
	}
	return must(alidade.SpatialReferenceCreate(c.runtime, c.arguments[index]))
}

func (c *case_) geometry(index int, reference alidade.SpatialReference) alidade.Geometry {
	return must(alidade.GeometryCreateFromWkt(c.runtime, c.arguments[index], reference))
}

func (c *case_) plainGeometry(index int) alidade.Geometry {
	return c.geometry(index, alidade.SpatialReference{})
}

func (c *case_) unit(index int) alidade.Unit {
	if !c.isGiven(index) {
		return 0
	}
	return must(alidade.UnitFindByName(c.arguments[index]))
}

func (c *case_) measure() *alidade.MeasureOptions {
	if !c.isGiven(1) {
		return nil
	}
	return &alidade.MeasureOptions{Kind: alidade.MeasureKind(c.number(1)), Unit: c.unit(2)}
}

func (c *case_) layer(index int) alidade.Layer {
	path := c.arguments[index]
	if strings.HasSuffix(path, ".tif") {
		return must(alidade.RasterLayerCreateFromPath(c.runtime, path, nil))
	}
	return must(alidade.FeatureLayerCreateFromPath(c.runtime, path, nil))
}

func (c *case_) epsg(code int32) alidade.SpatialReference {
	return must(alidade.SpatialReferenceCreateFromCode(c.runtime, "EPSG", code))
}

// view is the view of the first four arguments. A path and a symbol may be the next but two.
func (c *case_) view() alidade.View {
	shown := must(alidade.MapCreate(c.runtime, c.epsg(3857)))
	if len(c.arguments) > 8 {
		layer := c.layer(6)
		if c.isGiven(7) {
			symbol := alidade.Symbol{Kind: alidade.SymbolKind(c.number(7)), Color: alidade.Rgba{Alpha: 255}, SizeDip: 8}
			renderer := alidade.GraphicsRenderer{Kind: alidade.GraphicsRendererKindSimple, Symbol: symbol}
			check(layer.FeatureLayerSetRenderer(&renderer))
		}
		check(layer.Load())
		check(shown.AddLayer(layer))
	}
	view := must(alidade.ViewCreate(shown, &alidade.ViewOptions{WidthDip: 800, HeightDip: 600}))
	check(view.SetCenter(c.point(0), c.epsg(4326)))
	check(view.SetScale(c.number(2)))
	check(view.SetRotation(c.number(3)))
	return view
}

func (c *case_) selected() alidade.FeatureSet {
	query := alidade.FeatureQuery{}
	if c.isGiven(1) {
		query.Where = c.arguments[1]
	}
	return must(must(alidade.FeatureSourceOpen(c.runtime, c.arguments[0], nil)).Query(&query))
}

// Values

func (c *case_) put(values ...any) {
	for _, value := range values {
		if point, isPoint := value.(alidade.Point); isPoint {
			c.found = append(c.found, point.X, point.Y)
		} else {
			c.found = append(c.found, value)
		}
	}
}

func (c *case_) putIdentified(result alidade.IdentifyResult) {
	count := must(result.GetInfo()).ElementCount
	c.put(count)
	if count == 0 {
		return
	}
	element := must(result.GetElementAt(0))
	c.put(element.Kind)
	if element.Kind == alidade.ElementKindRasterCell {
		cell := must(result.GetCellAt(0))
		c.put(cell.Column, cell.Row)
	} else {
		c.put(element.Id)
	}
	attribute := must(result.FindAttribute(0, c.arguments[9]))
	c.put(element.Text, attribute.Type)
	switch attribute.Type {
	case alidade.AttributeTypeInteger:
		c.put(attribute.Integer)
	case alidade.AttributeTypeUnsigned:
		c.put(attribute.UnsignedInteger)
	case alidade.AttributeTypeReal:
		c.put(attribute.Real)
	case alidade.AttributeTypeText:
		c.put(attribute.Text)
	}
}

var operations = map[string]func(c *case_){
	"unit": func(c *case_) {
		c.put(must(alidade.UnitConvert(c.number(0), c.unit(1), c.unit(2))))
	},
	"reference": func(c *case_) {
		info := must(c.reference(0).GetInfo())
		c.put(info.Kind, info.Name, info.Authority, info.Code, info.UnitName)
		c.put(info.MetresPerUnit, info.SemiMajorAxisM, info.InverseFlattening)
	},
	"project": func(c *case_) {
		points := c.points(2)
		statuses := make([]alidade.PointStatus, len(points))
		check(c.reference(0).ProjectPoints(c.reference(1), points, points, statuses)) // in place
		for index, status := range statuses {
			c.put(status)
			if status == alidade.PointStatusOk {
				c.put(points[index])
			}
		}
	},
	"geodesic": func(c *case_) {
		var distance, azimuth, endAzimuth [1]float64
		from, to := []alidade.Point{c.point(1)}, []alidade.Point{c.point(3)}
		check(c.reference(0).GeodesicInverse(alidade.CurveTypeGeodesic, from, to, distance[:], azimuth[:], endAzimuth[:]))
		c.put(distance[0], azimuth[0], endAzimuth[0])
	},
	"geometry": func(c *case_) {
		geometry := c.plainGeometry(0)
		info := must(geometry.GetInfo())
		c.put(info.Kind, info.Flags, info.VertexCount)
		c.put(strings.ToUpper(hex.EncodeToString(must(geometry.GetWkb(0)))), must(geometry.GetWkt(nil)))
	},
	"from_wkb": func(c *case_) {
		wkb := must(hex.DecodeString(c.arguments[0]))
		geometry := must(alidade.GeometryCreateFromWkb(c.runtime, wkb, alidade.SpatialReference{}))
		c.put(must(geometry.GetWkt(nil)))
	},
	"area": func(c *case_) {
		c.put(must(c.geometry(3, c.reference(0)).Area(c.measure())))
	},
	"lengths": func(c *case_) {
		var geometries []alidade.Geometry
		reference := c.reference(0)
		for index := 3; index < len(c.arguments); index++ {
			geometries = append(geometries, c.geometry(index, reference))
		}
		lengths := make([]float64, len(geometries))
		check(must(alidade.GeometryArrayCreateFromGeometries(c.runtime, geometries)).Lengths(c.measure(), lengths))
		for _, length := range lengths {
			c.put(length)
		}
	},
	"distance": func(c *case_) {
		reference := c.reference(0)
		found := must(c.geometry(3, reference).Distance(c.geometry(4, reference), c.measure()))
		c.put(found.Distance, found.PointA, found.PointB)
	},
	"relate": func(c *case_) {
		c.put(must(c.plainGeometry(0).Relate(c.plainGeometry(1))))
	},
	"test": func(c *case_) {
		c.put(must(c.plainGeometry(1).Test(c.plainGeometry(2), alidade.Predicate(c.number(0)))))
	},
	"buffer": func(c *case_) {
		options := alidade.BufferOptions{Unit: c.unit(2), QuadrantSegments: uint32(c.numberOrZero(3))}
		buffer := must(c.geometry(4, c.reference(0)).CreateBuffer(c.number(1), &options))
		c.put(must(buffer.Area(nil)))
	},
	"geodesic_buffer": func(c *case_) {
		options := alidade.GeodesicBufferOptions{Unit: c.unit(2), MaximumDeviation: c.numberOrZero(3)}
		buffer, report, err := c.geometry(4, c.reference(0)).CreateGeodesicBuffer(c.number(1), &options)
		check(err)
		area := must(buffer.Area(&alidade.MeasureOptions{Kind: alidade.MeasureKindGeodesic}))
		c.put(area, report.MaximumDeviationM, report.AchievedDeviationM <= report.MaximumDeviationM)
	},
	"transformations": func(c *case_) {
		list := must(alidade.TransformationListCreate(c.reference(0), c.reference(1), nil))
		count := must(list.GetRowCount())
		c.put(count)
		if count > 0 {
			info := must(must(list.GetRowAt(0)).Transformation.GetInfo())
			c.put(info.Name, info.AccuracyM)
		}
	},
	"raster": func(c *case_) {
		raster := must(alidade.RasterOpen(c.runtime, c.arguments[0], nil))
		info, band := must(raster.GetInfo()), must(raster.GetBandInfo(1))
		c.put(info.Driver, info.Width, info.Height, info.BandCount)
		c.put(must(must(raster.GetSpatialReference()).GetInfo()).Code)
		c.put(info.Extent.XMin, info.Extent.YMin, info.Extent.XMax, info.Extent.YMax, band.Type)
		if band.Facts&alidade.BandFactsNodata != 0 {
			c.put(band.Nodata)
		}
	},
	"cells": func(c *case_) {
		raster := must(alidade.RasterOpen(c.runtime, c.arguments[0], nil))
		points, bands := c.points(1), int(must(raster.GetInfo()).BandCount)
		cells, values := make([]alidade.Cell, len(points)), make([]alidade.BandValue, len(points)*bands)
		check(raster.ReadPoints(c.epsg(4326), points, cells, values))
		for index, cell := range cells {
			c.put(cell.Verdict)
			if cell.Verdict == alidade.CellVerdictOutside {
				continue
			}
			c.put(cell.Column, cell.Row)
			for _, value := range values[index*bands : (index+1)*bands] {
				if value.Type == alidade.DataTypeInt64 {
					c.put(value.Integer)
				} else {
					c.put(value.Value)
				}
			}
		}
	},
	"features": func(c *case_) {
		set := c.selected()
		c.put(must(set.GetInfo()).FeatureCount)
		for index, id := range must(set.GetColumns()).Ids {
			if index < 5 {
				c.put(id)
			}
		}
	},
	"feature": func(c *case_) {
		set := c.selected()
		value := must(set.GetAttribute(0, uint32(c.number(2))))
		isPresent := value.State == alidade.ValueStatePresent
		c.put(must(must(must(set.GetGeometries()).CreateGeometry(0)).GetWkt(nil)), value.Type, isPresent)
		if !isPresent {
			return
		}
		switch value.Type {
		case alidade.FieldTypeInteger:
			c.put(value.Integer)
		case alidade.FieldTypeReal:
			c.put(value.Real)
		case alidade.FieldTypeText:
			c.put(value.Text)
		case alidade.FieldTypeTextList:
			for _, text := range value.Texts {
				c.put(text)
			}
		case alidade.FieldTypeDateTime:
			time := value.DateTime
			c.put(time.Year, time.Month, time.Day, time.Hour, time.Minute, time.Second)
		}
	},
	"view": func(c *case_) {
		view := c.view()
		state := must(view.GetState())
		c.put(state.Center, state.Scale, state.RotationDeg, state.UnitsPerDip)
		image := make([]alidade.Point, 1)
		check(view.ScreenToMap([]alidade.Point{c.point(4)}, image))
		c.put(image[0])
		check(view.MapToScreen([]alidade.Point{c.point(6)}, image))
		c.put(image[0])
	},
	"identify": func(c *case_) {
		c.putIdentified(must(c.view().Identify(c.point(4), c.number(8), 0, nil)))
	},
	"identify_async": func(c *case_) {
		calls := 0
		var request alidade.Request
		options := alidade.RequestOptions{OnDone: func(done alidade.Request) {
			if done == request {
				calls++
			}
		}}
		request = must(c.view().IdentifyAsync(c.point(4), c.number(8), 0, nil, &options))
		state := must(request.Wait(alidade.All))
		must(c.runtime.Pump(alidade.All))
		c.put(must(request.GetInfo()).Kind, state, calls)
		c.putIdentified(must(request.TakeIdentifyResult()))
	},
	"snap": func(c *case_) {
		options := alidade.SnapOptions{Kinds: alidade.SnapFlags(c.number(9))}
		found := must(c.view().Snap(c.point(4), c.number(8), &options))
		c.put(found.Kind)
		if found.Kind != 0 {
			c.put(found.Id, found.MapPoint, found.ScreenPoint, found.DistanceDip)
		}
	},
	"layer_names": func(c *case_) {
		shown := must(alidade.MapCreate(c.runtime, alidade.SpatialReference{}))
		for _, name := range c.arguments[1:] {
			layer := c.layer(0)
			check(layer.SetText(alidade.LayerTextKindName, name))
			check(shown.AddLayer(layer))
			layer.Release()
		}
		for index := must(shown.GetLayerCount()); index > 0; index-- {
			c.put(must(must(shown.GetLayerAt(index - 1)).GetText(alidade.LayerTextKindName)))
		}
	},
	"released": func(c *case_) {
		geometry := c.plainGeometry(0)
		geometry.Release()
		geometry.Release()
		c.put(must(geometry.GetWkt(nil)))
	},
	"load": func(c *case_) {
		layer := c.layer(0)
		request := must(layer.LoadAsync(nil))
		var finished, loaded alidade.Event
		for finished.Kind == 0 || loaded.LoadStatus < alidade.LoadStatusLoaded {
			if !must(c.runtime.Wait(60000)) {
				break
			}
			for _, event := range must(c.runtime.PollEvents(8)) {
				if event.Kind == alidade.EventKindLoadStatusChanged && event.Layer == layer {
					loaded = event
				} else if event.Kind == alidade.EventKindRequestFinished && event.Request == request {
					finished = event
				}
			}
		}
		c.put(finished.RequestState, loaded.LoadStatus, alidade.StatusGetName(loaded.Status))
	},
}

// values gives the values of a case. An operation that fails has three: the status, the argument and the message.
func values(operation string, arguments []string) (found []any) {
	c := case_{runtime: must(alidade.RuntimeCreate(nil)), arguments: arguments}
	defer c.runtime.Release()
	defer func() {
		if why := recover(); why != nil {
			var failure *alidade.Error
			if err, isError := why.(error); !isError || !errors.As(err, &failure) {
				found = []any{fmt.Sprint("not an error of Alidade: ", why)}
				return
			}
			found = []any{alidade.StatusGetName(failure.Status), failure.Argument, failure.Message}
		}
	}()
	run, isKnown := operations[operation]
	if !isKnown {
		return []any{"no such operation"}
	}
	run(&c)
	return c.found
}

// shown gives a value as the table writes it.
func shown(value any) string {
	switch value := value.(type) {
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64)
	case bool:
		if value {
			return "1"
		}
		return "0"
	case string:
		if value == "" {
			return `""`
		}
		return strings.ReplaceAll(value, "\n", `\n`)
	}
	return fmt.Sprintf("%d", value)
}

// fits says whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself.
func fits(found any, expected string) bool {
	if number, isReal := found.(float64); isReal {
		wantedText, toleranceText, _ := strings.Cut(expected, "~")
		wanted, err := strconv.ParseFloat(wantedText, 64)
		tolerance, second := strconv.ParseFloat(toleranceText, 64)
		if err != nil || second != nil {
			return false
		}
		return math.Abs(number-wanted) <= tolerance || (math.IsNaN(number) && math.IsNaN(wanted))
	}
	if len(expected) > 2 && strings.HasPrefix(expected, "*") && strings.HasSuffix(expected, "*") {
		return strings.Contains(shown(found), expected[1:len(expected)-1])
	}
	return shown(found) == expected
}

func fitsAll(found []any, expected []string) bool {
	for index := range found {
		if len(found) != len(expected) || !fits(found[index], expected[index]) {
			return false
		}
	}
	return len(found) == len(expected)
}

func main() {
	passed, failed := 0, 0
	for _, line := range strings.Split(string(must(os.ReadFile(os.Args[1]))), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		equals := 2
		for cells[equals] != "=" {
			equals++
		}
		found, expected := values(cells[1], cells[2:equals]), cells[equals+1:]
		if fitsAll(found, expected) {
			passed++
			continue
		}
		failed++
		var texts []string
		for _, value := range found {
			texts = append(texts, shown(value))
		}
		fmt.Printf("FAILED  %s: expected | %s, found | %s\n", cells[0], strings.Join(expected, " | "), strings.Join(texts, " | "))
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}
