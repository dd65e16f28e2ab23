//! Identifies the cell under a tap, and shows what errors say. examples/identify/run builds and runs it.
use alidade::{Error, Layer, Map, Point, Raster, Runtime, SpatialReference, View, ViewOptions};

const ELEVATION: &str = "examples/quickstart/data/Shasta_Elevation.tif";

fn main() -> Result<(), Error> {
    let runtime = Runtime::create(None)?;
    let layer = Layer::raster_layer_create_from_path(&runtime, ELEVATION, None)?;
    let map = Map::create(&runtime, Some(&SpatialReference::create(&runtime, "EPSG:3857")?))?;
    map.add_layer(&layer)?;
    map.load()?;
    map.set_initial_location(40.7624, -122.1621, 72000.0)?;
    let size = ViewOptions { width_dip: 800.0, height_dip: 600.0, ..Default::default() };
    let view = View::create(&map, Some(&size))?;

    let tap = Point { x: 400.0, y: 300.0 };
    let result = view.identify(tap, 0.0, 0, None)?;
    for index in 0..result.get_info()?.element_count {
        let cell = result.get_cell_at(index)?;
        println!("column {}, row {}", cell.column, cell.row);
        let height = result.find_attribute(index, "Band 1")?;
        println!("{:.6}", height.real);
        println!("{}", result.get_element_at(index)?.text.unwrap_or_default());
    }

    let errors = [Raster::open(&runtime, "missing.tif", None).err(), view.identify(tap, -1.0, 0, None).err()];
    for error in errors.into_iter().flatten() {
        println!("{}, argument {}: {}", error.status.name(), error.argument, error);
    }
    Ok(())
}
