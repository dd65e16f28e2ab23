//! What the Rust binding promises beyond the table of cases: binding, in the root of the repository.
//!
//! Prints what fails and, last, "N passed, N failed".
use alidade::*;
use std::cell::{Cell as Shared, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

const ELEVATION: &str = "examples/quickstart/data/Shasta_Elevation.tif";
const COUNTRIES: &str = "examples/world_identify/data/countries.fgb";

#[derive(Default)]
struct Report {
    passed: usize,
    failed: usize,
}

impl Report {
    fn check(&mut self, holds: bool, what: &str) {
        if holds {
            self.passed += 1;
        } else {
            self.failed += 1;
            println!("FAILED  {}", what);
        }
    }
}

fn square(runtime: &Runtime) -> Result<Geometry> {
    Geometry::create_from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", None)
}

fn errors(report: &mut Report, runtime: &Runtime) -> Result<()> {
    let missing = Raster::open(runtime, "missing.tif", None).unwrap_err();
    report.check(missing.status == Status::NOT_FOUND && missing.argument == 2, "an error has status and argument");
    report.check(missing.domain == error_domain::SYSTEM && missing.domain_code == 2, "an error has the system's code");
    report.check(missing.to_string().contains("missing.tif"), "an error shows its message");
    report.check(format!("{:?}", missing.status) == "ALD_STATUS_NOT_FOUND", "a status shows its name");
    let nul = Raster::open(runtime, "a\0b", None).unwrap_err();
    report.check(nul.status == Status::INVALID_ARGUMENT && nul.message.contains("NUL"), "a text with a NUL is refused");
    let nested = FeatureQuery { where_: Some("a\0b".into()), ..Default::default() };
    let source = FeatureSource::open(runtime, COUNTRIES, None)?;
    report.check(source.query(Some(&nested)).unwrap_err().message.contains("NUL"), "so is one in a struct");
    Ok(())
}

fn sizes(report: &mut Report, runtime: &Runtime) -> Result<()> {
    let degrees = SpatialReference::create(runtime, "EPSG:4326")?;
    let mercator = SpatialReference::create(runtime, "EPSG:3857")?;
    let points = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];
    let mut images = [Point::default()];
    let short = degrees.project_points(&mercator, &points, &mut images, &mut []).unwrap_err();
    report.check(short.message.contains("out_xy"), "an array that is too small is refused");
    let mut images = [Point::default(); 2];
    let short = degrees.project_points(&mercator, &points, &mut images, &mut [0]).unwrap_err();
    report.check(short.message.contains("out_statuses"), "so is a second one");
    report.check(degrees.project_points(&mercator, &points, &mut images, &mut []).is_ok(), "but not an empty one");
    let uneven = degrees.geodesic_inverse(0, &points, &points[..1], &mut [0.0; 2], &mut [], &mut []);
    report.check(uneven.unwrap_err().message.contains("to_xy"), "arrays with one count have one size");
    let array = GeometryArray::create_from_geometries(runtime, &[&square(runtime)?, &square(runtime)?])?;
    let small = array.lengths(None, &mut [0.0]).unwrap_err();
    report.check(small.status == Status::BUFFER_TOO_SMALL, "an array with a capacity is checked by the library");

    // A size that a program changes must not lead C beyond the struct.
    let options = BufferOptions { struct_size: 1 << 20, ..Default::default() };
    report.check(square(runtime)?.create_buffer(1.0, Some(&options)).is_ok(), "a wrong struct_size is set right");
    Ok(())
}

fn structs(report: &mut Report, runtime: &Runtime) -> Result<()> {
    let source = FeatureSource::open(runtime, COUNTRIES, None)?;
    let query = FeatureQuery { flags: feature_query_flags::HAS_IDS, ids: vec![3, 5, 8], ..Default::default() };
    report.check(source.query_count(Some(&query))? == 3, "an array in a struct sets its count");
    let set = source.query(Some(&query))?;
    report.check(set.get_columns()?.ids == [3, 5, 8], "an array comes out as it went in");

    let drivers = vec!["GTiff".to_string()];
    let policy = Policy { flags: 0, drivers, ..Default::default() };
    let strict = Runtime::create(Some(&RuntimeOptions { policy: Some(policy), ..Default::default() }))?;
    let refused = FeatureSource::open(&strict, COUNTRIES, None).unwrap_err();
    report.check(refused.status == Status::POLICY_REFUSED, "a struct in a struct, with an array of texts");
    report.check(Raster::open(&strict, ELEVATION, None).is_ok(), "and what it allows");

    let columns = square(runtime)?.get_columns()?;
    report.check(columns.xy == [0.0, 0.0, 4.0, 0.0, 4.0, 4.0, 0.0, 4.0, 0.0, 0.0], "coordinates come out");
    report.check(columns.vertex_offsets == [0, 5], "offsets have one more");
    let made = Geometry::create(runtime, &columns, None)?;
    report.check(made.area(None)? == 16.0, "and go in");
    let broken = GeometryColumns { z: vec![1.0], ..columns };
    report.check(Geometry::create(runtime, &broken, None).is_err(), "columns of different sizes are refused");

    let overlay = GraphicsOverlay::create(runtime, None)?;
    let point = |wkt| Geometry::create_from_wkt(runtime, wkt, None);
    let array = GeometryArray::create_from_geometries(runtime, &[&point("POINT (1 2)")?, &point("POINT (3 4)")?])?;
    let name = GraphicAttributes {
        name: Some("name".into()),
        type_: graphic_value_type::TEXT,
        texts: vec!["one".into(), "Straße".into()],
        ..Default::default()
    };
    let columns = GraphicColumns { z_indexes: vec![1, 2], attributes: vec![name.clone()], ..Default::default() };
    let first = overlay.add_graphics(&array, Some(&columns))?;
    let (_, text) = overlay.find_attribute(first + 1, "name")?;
    report.check(text == "Straße", "an array of structs with arrays");
    let uneven = GraphicColumns { z_indexes: vec![1], attributes: vec![name], ..Default::default() };
    report.check(overlay.add_graphics(&array, Some(&uneven)).is_err(), "arrays inside of them have the same size");

    let renderer = GraphicsRenderer {
        kind: graphics_renderer_kind::UNIQUE_VALUE,
        fields: vec!["name".into()],
        symbols: vec![Symbol::default()],
        values: vec![GraphicValue { type_: graphic_value_type::TEXT, text: Some("one".into()), ..Default::default() }],
        ..Default::default()
    };
    report.check(overlay.set_renderer(Some(&renderer)).is_ok(), "texts in an array of structs");
    Ok(())
}

fn objects(report: &mut Report) -> Result<()> {
    let runtime = Runtime::create(None)?;
    let before = runtime.get_handle_count()?;
    let map = Map::create(&runtime, None)?;
    {
        let raster = Raster::open(&runtime, ELEVATION, None)?;
        let layer = Layer::raster_layer_create(&raster)?;
        map.add_layer(&layer)?;
        report.check(layer.raster_layer_get_raster()? == raster, "objects are equal if they are the same");
    }
    let layer = map.get_layer_at(0)?;
    report.check(layer.get_info()?.kind == layer_kind::RASTER, "the map keeps its layer");
    report.check(Layer::borrowed(&runtime, layer.handle()) == Some(map.get_layer_at(0)?), "a handle becomes an object");
    drop(layer);
    report.check(map.get_layer_count()? == 1, "a borrowed object releases nothing");
    map.remove_layer(&map.get_layer_at(0)?)?;
    drop(map);
    report.check(runtime.get_handle_count()? == before, "all objects were released");

    let geometry = square(&runtime)?;
    let handle = runtime.handle();
    drop(runtime);
    report.check(geometry.area(None)? == 16.0, "an object keeps its runtime");
    drop(geometry);
    let mut count = 0;
    let status = unsafe { sys::ald_runtime_get_handle_count(handle, &mut count, std::ptr::null_mut()) };
    report.check(Status(status) == Status::INVALID_HANDLE, "the last object releases it");

    let runtime = Runtime::create(None)?;
    let geometry = square(&runtime)?;
    runtime.release();
    report
        .check(geometry.area(None).unwrap_err().status == Status::INVALID_HANDLE, "a released runtime has no objects");
    Ok(())
}

fn receipts(report: &mut Report, runtime: &Runtime) -> Result<()> {
    let degrees = SpatialReference::create(runtime, "EPSG:4326")?;
    let mercator = SpatialReference::create(runtime, "EPSG:3857")?;
    let a = Geometry::create_from_wkt(runtime, "POINT (1 2)", Some(&degrees))?;
    let b = Geometry::create_from_wkt(runtime, "POINT (0 0)", Some(&mercator))?;
    let (_, receipt) = a.distance_with_receipt(&b, None)?;
    let receipt = receipt.expect("a receipt");
    report.check(receipt.get_info()?.operation_count == 1, "a receipt comes on request");
    Ok(())
}

fn requests(report: &mut Report, runtime: &Runtime) -> Result<()> {
    let calls = Rc::new(RefCell::new(Vec::new()));
    let noted = |name: &'static str| -> Option<Box<dyn FnOnce(sys::ald_request)>> {
        let calls = calls.clone();
        Some(Box::new(move |_| {
            calls.borrow_mut().push(name);
            if name == "panics" {
                panic!("as the test wants");
            }
        }))
    };
    let options = |name| RequestOptions { on_done: noted(name), ..Default::default() };
    let first = Raster::open_async(runtime, ELEVATION, None, options("panics"))?;
    let second = Raster::open_async(runtime, "missing.tif", None, options("second"))?;
    first.wait(ALL)?;
    second.wait(ALL)?;
    report.check(calls.borrow().is_empty(), "functions are called by pump alone");
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(|| runtime.pump(ALL)));
    let _ = std::panic::take_hook();
    report.check(outcome.is_err(), "a panic goes on when pump has returned");
    runtime.pump(ALL)?;
    let mut names = calls.borrow().clone();
    names.sort_unstable();
    report.check(names == ["panics", "second"], "and the other function was called");
    report.check(first.take_raster()?.get_info()?.band_count == 1, "the result can be taken");
    report.check(second.take_raster().unwrap_err().status == Status::NOT_FOUND, "and the error");

    let never = Rc::new(Shared::new(0));
    let kept = never.clone();
    let on_done: Option<Box<dyn FnOnce(sys::ald_request)>> = Some(Box::new(move |_| kept.set(1)));
    let options = RequestOptions { on_done, ..Default::default() };
    let layer = Layer::group_layer_create(runtime)?;
    layer.release();
    report.check(layer.load_async(options).is_err(), "a request that does not begin");
    report.check(Rc::strong_count(&never) == 1 && never.get() == 0, "forgets its function");
    Ok(())
}

fn main() -> Result<()> {
    let mut report = Report::default();
    let runtime = Runtime::create(None)?;
    errors(&mut report, &runtime)?;
    sizes(&mut report, &runtime)?;
    structs(&mut report, &runtime)?;
    objects(&mut report)?;
    receipts(&mut report, &runtime)?;
    requests(&mut report, &runtime)?;
    println!("{} passed, {} failed", report.passed, report.failed);
    std::process::exit(if report.failed == 0 { 0 } else { 1 });
}
