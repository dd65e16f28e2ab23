// Identifies the cell under a tap, and shows what errors say. examples/identify/run builds and runs it.
package main

import (
	"errors"
	"fmt"
	"os"

	"alidade"
)

const elevation = "examples/quickstart/data/Shasta_Elevation.tif"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	runtime, err := alidade.RuntimeCreate(nil)
	if err != nil {
		return err
	}
	defer runtime.Release() // and all objects that were created with it
	layer, err := alidade.RasterLayerCreateFromPath(runtime, elevation, nil)
	if err != nil {
		return err
	}
	mercator, err := alidade.SpatialReferenceCreate(runtime, "EPSG:3857")
	if err != nil {
		return err
	}
	shown, err := alidade.MapCreate(runtime, mercator)
	if err != nil {
		return err
	}
	if err := shown.AddLayer(layer); err != nil {
		return err
	}
	if err := shown.Load(); err != nil {
		return err
	}
	if err := shown.SetInitialLocation(40.7624, -122.1621, 72000); err != nil {
		return err
	}
	view, err := alidade.ViewCreate(shown, &alidade.ViewOptions{WidthDip: 800, HeightDip: 600})
	if err != nil {
		return err
	}

	tap := alidade.Point{X: 400, Y: 300}
	result, err := view.Identify(tap, 0, 0, nil)
	if err != nil {
		return err
	}
	info, err := result.GetInfo()
	if err != nil {
		return err
	}
	for index := uint32(0); index < info.ElementCount; index++ {
		if err := show(result, index); err != nil {
			return err
		}
	}

	_, missing := alidade.RasterOpen(runtime, "missing.tif", nil)
	_, negative := view.Identify(tap, -1, 0, nil)
	for _, err := range []error{missing, negative} {
		var failure *alidade.Error
		if errors.As(err, &failure) {
			fmt.Printf("%v, argument %d: %v\n", failure.Status, failure.Argument, failure)
		}
	}
	return nil
}

// show prints a cell, its height, and the text that a callout would show.
func show(result alidade.IdentifyResult, index uint32) error {
	cell, err := result.GetCellAt(index)
	if err != nil {
		return err
	}
	height, err := result.FindAttribute(index, "Band 1")
	if err != nil {
		return err
	}
	element, err := result.GetElementAt(index)
	if err != nil {
		return err
	}
	fmt.Printf("column %d, row %d\n%.6f\n%s\n", cell.Column, cell.Row, height.Real, element.Text)
	return nil
}
