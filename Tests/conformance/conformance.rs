//! Runs the table of cases in Rust: conformance CASES, in the root of the repository.
//!
//! Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the operations.
use alidade::*;
use std::cell::Cell as Counter;
use std::error::Error as AnyError;
use std::rc::Rc;

enum Value {
    Real(f64),
    Text(String),
}

/// A case that runs: a runtime, the arguments, and the values that were found.
struct Case<'a> {
    runtime: Runtime,
    arguments: &'a [&'a str],
    found: Vec<Value>,
}

type Outcome<T = ()> = std::result::Result<T, Box<dyn AnyError>>;

impl Case<'_> {
    // Arguments

    fn number(&self, index: usize) -> Outcome<f64> {
        Ok(self.arguments[index].parse()?)
    }

    fn given(&self, index: usize) -> Option<&str> {
        Some(self.arguments[index]).filter(|&text| text != "-")
    }

    fn number_or_zero(&self, index: usize) -> Outcome<f64> {
        self.given(index).map_or(Ok(0.0), |text| Ok(text.parse()?))
    }

    fn point(&self, index: usize) -> Outcome<Point> {
        Ok(Point { x: self.number(index)?, y: self.number(index + 1)? })
    }

    fn points(&self, index: usize) -> Outcome<Vec<Point>> {
        (index..self.arguments.len()).step_by(2).map(|at| self.point(at)).collect()
    }

    fn reference(&self, index: usize) -> Outcome<Option<SpatialReference>> {
        Ok(match self.given(index) {
            Some(definition) => Some(SpatialReference::create(&self.runtime, definition)?),
            None => None,
        })
    }

    fn needed_reference(&self, index: usize) -> Outcome<SpatialReference> {
        Ok(SpatialReference::create(&self.runtime, self.arguments[index])?)
    }

    fn geometry(&self, index: usize, reference: Option<&SpatialReference>) -> Outcome<Geometry> {
        Ok(Geometry::create_from_wkt(&self.runtime, self.arguments[index], reference)?)
    }

    fn unit(&self, index: usize) -> Outcome<i32> {
        self.given(index).map_or(Ok(0), |name| Ok(unit_find_by_name(name)?))
    }

    fn measure(&self) -> Outcome<Option<MeasureOptions>> {
        if self.given(1).is_none() {
            return Ok(None);
        }
        Ok(Some(MeasureOptions { kind: self.number(1)? as i32, unit: self.unit(2)?, ..Default::default() }))
    }

    fn layer(&self, index: usize) -> Outcome<Layer> {
        let path = self.arguments[index];
        Ok(if path.ends_with(".tif") {
            Layer::raster_layer_create_from_path(&self.runtime, path, None)?
        } else {
            Layer::feature_layer_create_from_path(&self.runtime, path, None)?
        })
    }

    /// Longitude, latitude, scale and rotation are the first four arguments. A path and a symbol may be the next but two.
    fn view(&self) -> Outcome<View> {
        let mercator = SpatialReference::create_from_code(&self.runtime, Some("EPSG"), 3857)?;
        let map = Map::create(&self.runtime, Some(&mercator))?;
        if self.arguments.len() > 8 {
            let layer = self.layer(6)?;
            if self.given(7).is_some() {
                let color = Rgba { alpha: 255, ..Default::default() };
                let kind = self.number(7)? as i32;
                let symbol = Symbol { kind, color, size_dip: 8.0, ..Default::default() };
                let kind = graphics_renderer_kind::SIMPLE;
                let renderer = GraphicsRenderer { kind, symbol, ..Default::default() };
                layer.feature_layer_set_renderer(Some(&renderer))?;
            }
            layer.load()?;
            map.add_layer(&layer)?;
        }
        let size = ViewOptions { width_dip: 800.0, height_dip: 600.0, ..Default::default() };
        let view = View::create(&map, Some(&size))?;
        let degrees = SpatialReference::create_from_code(&self.runtime, Some("EPSG"), 4326)?;
        view.set_center(self.point(0)?, Some(&degrees))?;
        view.set_scale(self.number(2)?)?;
        view.set_rotation(self.number(3)?)?;
        Ok(view)
    }

    fn selected(&self) -> Outcome<FeatureSet> {
        let query = FeatureQuery { where_: self.given(1).map(String::from), ..Default::default() };
        Ok(FeatureSource::open(&self.runtime, self.arguments[0], None)?.query(Some(&query))?)
    }

    // Values

    fn put(&mut self, value: impl ToString) {
        self.found.push(Value::Text(value.to_string()));
    }

    fn put_text(&mut self, text: Option<String>) {
        self.put(text.unwrap_or_default());
    }

    fn real(&mut self, number: f64) {
        self.found.push(Value::Real(number));
    }

    fn put_point(&mut self, point: Point) {
        self.real(point.x);
        self.real(point.y);
    }

    fn put_identified(&mut self, result: IdentifyResult) -> Outcome {
        let count = result.get_info()?.element_count;
        self.put(count);
        if count == 0 {
            return Ok(());
        }
        let element = result.get_element_at(0)?;
        self.put(element.kind);
        if element.kind == element_kind::RASTER_CELL {
            let cell = result.get_cell_at(0)?;
            self.put(cell.column);
            self.put(cell.row);
        } else {
            self.put(element.id);
        }
        let attribute = result.find_attribute(0, self.arguments[9])?;
        self.put_text(element.text);
        self.put(attribute.type_);
        match attribute.type_ {
            attribute_type::INTEGER => self.put(attribute.integer),
            attribute_type::UNSIGNED => self.put(attribute.unsigned_integer),
            attribute_type::REAL => self.real(attribute.real),
            attribute_type::TEXT => self.put_text(attribute.text),
            _ => {}
        }
        Ok(())
    }

    // The operations

    fn run(&mut self, operation: &str) -> Outcome {
        match operation {
            "unit" => {
                let value = unit_convert(self.number(0)?, self.unit(1)?, self.unit(2)?)?;
                self.real(value);
            }
            "reference" => {
                let info = self.needed_reference(0)?.get_info()?;
                self.put(info.kind);
                for text in [info.name, info.authority, info.code, info.unit_name] {
                    self.put_text(text);
                }
                self.real(info.metres_per_unit);
                self.real(info.semi_major_axis_m);
                self.real(info.inverse_flattening);
            }
            "project" => {
                let points = self.points(2)?;
                let mut images = vec![Point::default(); points.len()];
                let mut statuses = vec![0; points.len()];
                let (from, to) = (self.needed_reference(0)?, self.needed_reference(1)?);
                from.project_points(&to, &points, &mut images, &mut statuses)?;
                for (image, status) in images.into_iter().zip(statuses) {
                    self.put(status);
                    if status == point_status::OK {
                        self.put_point(image);
                    }
                }
            }
            "geodesic" => {
                let (mut distance, mut azimuth, mut end_azimuth) = ([0.0], [0.0], [0.0]);
                let (from, to) = ([self.point(1)?], [self.point(3)?]);
                self.needed_reference(0)?.geodesic_inverse(
                    curve_type::GEODESIC,
                    &from,
                    &to,
                    &mut distance,
                    &mut azimuth,
                    &mut end_azimuth,
                )?;
                for value in [distance[0], azimuth[0], end_azimuth[0]] {
                    self.real(value);
                }
            }
            "geometry" => {
                let geometry = self.geometry(0, None)?;
                let info = geometry.get_info()?;
                self.put(info.kind);
                self.put(info.flags);
                self.put(info.vertex_count);
                self.put(geometry.get_wkb(0)?.iter().map(|byte| format!("{:02X}", byte)).collect::<String>());
                self.put(geometry.get_wkt(None)?);
            }
            "from_wkb" => {
                let digits = self.arguments[0];
                let bytes = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16));
                let wkb = bytes.collect::<std::result::Result<Vec<_>, _>>()?;
                self.put(Geometry::create_from_wkb(&self.runtime, &wkb, None)?.get_wkt(None)?);
            }
            "area" => {
                let area = self.geometry(3, self.reference(0)?.as_ref())?.area(self.measure()?.as_ref())?;
                self.real(area);
            }
            "lengths" => {
                let reference = self.reference(0)?;
                let indexes = 3..self.arguments.len();
                let geometries =
                    indexes.map(|at| self.geometry(at, reference.as_ref())).collect::<Outcome<Vec<_>>>()?;
                let array =
                    GeometryArray::create_from_geometries(&self.runtime, &geometries.iter().collect::<Vec<_>>())?;
                let mut lengths = vec![0.0; geometries.len()];
                array.lengths(self.measure()?.as_ref(), &mut lengths)?;
                lengths.into_iter().for_each(|length| self.real(length));
            }
            "distance" => {
                let reference = self.reference(0)?;
                let (a, b) = (self.geometry(3, reference.as_ref())?, self.geometry(4, reference.as_ref())?);
                let found = a.distance(&b, self.measure()?.as_ref())?;
                self.real(found.distance);
                self.put_point(found.point_a);
                self.put_point(found.point_b);
            }
            "relate" => {
                let matrix = self.geometry(0, None)?.relate(&self.geometry(1, None)?)?;
                self.put(matrix);
            }
            "test" => {
                let holds = self.geometry(1, None)?.test(&self.geometry(2, None)?, self.number(0)? as i32)?;
                self.put(holds as i32);
            }
            "buffer" => {
                let options = BufferOptions {
                    unit: self.unit(2)?,
                    quadrant_segments: self.number_or_zero(3)? as u32,
                    ..Default::default()
                };
                let geometry = self.geometry(4, self.reference(0)?.as_ref())?;
                let area = geometry.create_buffer(self.number(1)?, Some(&options))?.area(None)?;
                self.real(area);
            }
            "geodesic_buffer" => {
                let options = GeodesicBufferOptions {
                    unit: self.unit(2)?,
                    maximum_deviation: self.number_or_zero(3)?,
                    ..Default::default()
                };
                let geometry = self.geometry(4, self.reference(0)?.as_ref())?;
                let (buffer, report) = geometry.create_geodesic_buffer(self.number(1)?, Some(&options))?;
                let measure = MeasureOptions { kind: measure_kind::GEODESIC, ..Default::default() };
                self.real(buffer.area(Some(&measure))?);
                self.real(report.maximum_deviation_m);
                self.put((report.achieved_deviation_m <= report.maximum_deviation_m) as i32);
            }
            "transformations" => {
                let list = TransformationList::create(&self.needed_reference(0)?, &self.needed_reference(1)?, None)?;
                let count = list.get_row_count()?;
                self.put(count);
                if count > 0 {
                    let row = list.get_row_at(0)?;
                    let first =
                        Transformation::borrowed(&self.runtime, row.transformation).ok_or("no transformation")?;
                    let info = first.get_info()?;
                    self.put_text(info.name);
                    self.real(info.accuracy_m);
                }
            }
            "raster" => {
                let raster = Raster::open(&self.runtime, self.arguments[0], None)?;
                let (info, band) = (raster.get_info()?, raster.get_band_info(1)?);
                self.put_text(info.driver);
                for number in [info.width, info.height, info.band_count] {
                    self.put(number);
                }
                let reference = raster.get_spatial_reference()?;
                self.put_text(reference.get_info()?.code);
                for number in [info.extent.x_min, info.extent.y_min, info.extent.x_max, info.extent.y_max] {
                    self.real(number);
                }
                self.put(band.type_);
                if band.facts & band_facts::NODATA != 0 {
                    self.real(band.nodata);
                }
            }
            "cells" => {
                let raster = Raster::open(&self.runtime, self.arguments[0], None)?;
                let degrees = SpatialReference::create_from_code(&self.runtime, Some("EPSG"), 4326)?;
                let points = self.points(1)?;
                let bands = raster.get_info()?.band_count as usize;
                let mut cells = vec![Cell::default(); points.len()];
                let mut values = vec![BandValue::default(); points.len() * bands];
                raster.read_points(Some(&degrees), &points, &mut cells, &mut values)?;
                for (cell, values) in cells.into_iter().zip(values.chunks(bands)) {
                    self.put(cell.verdict);
                    if cell.verdict == cell_verdict::OUTSIDE {
                        continue;
                    }
                    self.put(cell.column);
                    self.put(cell.row);
                    for value in values {
                        if value.type_ == data_type::INT64 {
                            self.put(value.integer);
                        } else {
                            self.real(value.value);
                        }
                    }
                }
            }
            "features" => {
                let set = self.selected()?;
                self.put(set.get_info()?.feature_count);
                set.get_columns()?.ids.into_iter().take(5).for_each(|id| self.put(id));
            }
            "feature" => {
                let set = self.selected()?;
                let value = set.get_attribute(0, self.number(2)? as u32)?;
                let geometries = set.get_geometries()?;
                self.put(geometries.create_geometry(0)?.get_wkt(None)?);
                self.put(value.type_);
                self.put((value.state == value_state::PRESENT) as i32);
                match value.type_ {
                    _ if value.state != value_state::PRESENT => {}
                    field_type::INTEGER => self.put(value.integer),
                    field_type::REAL => self.real(value.real),
                    field_type::TEXT => self.put_text(value.text),
                    field_type::TEXT_LIST => value.texts.into_iter().for_each(|text| self.put(text)),
                    field_type::DATE_TIME => {
                        let time = value.date_time;
                        self.put(time.year);
                        for number in [time.month, time.day, time.hour, time.minute] {
                            self.put(number);
                        }
                        self.real(time.second);
                    }
                    _ => {}
                }
            }
            "view" => {
                let view = self.view()?;
                let state = view.get_state()?;
                self.put_point(state.center);
                for number in [state.scale, state.rotation_deg, state.units_per_dip] {
                    self.real(number);
                }
                let mut image = [Point::default()];
                view.screen_to_map(&[self.point(4)?], &mut image)?;
                self.put_point(image[0]);
                view.map_to_screen(&[self.point(6)?], &mut image)?;
                self.put_point(image[0]);
            }
            "identify" => {
                let result = self.view()?.identify(self.point(4)?, self.number(8)?, 0, None)?;
                self.put_identified(result)?;
            }
            "identify_async" => {
                let calls = Rc::new(Counter::new(0));
                let counted = calls.clone();
                let on_done: Box<dyn FnOnce(sys::ald_request)> = Box::new(move |_| counted.set(counted.get() + 1));
                let options = RequestOptions { on_done: Some(on_done), ..Default::default() };
                let view = self.view()?;
                let request = view.identify_async(self.point(4)?, self.number(8)?, 0, None, options)?;
                let state = request.wait(ALL)?;
                self.runtime.pump(ALL)?;
                self.put(request.get_info()?.kind);
                self.put(state);
                self.put(calls.get());
                self.put_identified(request.take_identify_result()?)?;
            }
            "snap" => {
                let options = SnapOptions { kinds: self.number(9)? as u32, ..Default::default() };
                let found = self.view()?.snap(self.point(4)?, self.number(8)?, Some(&options))?;
                self.put(found.kind);
                if found.kind != 0 {
                    self.put(found.id);
                    self.put_point(found.map_point);
                    self.put_point(found.screen_point);
                    self.real(found.distance_dip);
                }
            }
            "layer_names" => {
                let map = Map::create(&self.runtime, None)?;
                for name in &self.arguments[1..] {
                    let layer = self.layer(0)?;
                    layer.set_text(layer_text_kind::NAME, Some(name))?;
                    map.add_layer(&layer)?;
                }
                for index in (0..map.get_layer_count()?).rev() {
                    self.put(map.get_layer_at(index)?.get_text(layer_text_kind::NAME)?);
                }
            }
            "released" => {
                let geometry = self.geometry(0, None)?;
                geometry.release();
                geometry.release();
                self.put(geometry.get_wkt(None)?);
            }
            "load" => {
                let layer = self.layer(0)?;
                let request = layer.load_async(RequestOptions::default())?;
                let (mut finished, mut loaded) = (Event::default(), Event::default());
                while (finished.kind == 0 || loaded.load_status < load_status::LOADED) && self.runtime.wait(60_000)? {
                    for event in self.runtime.poll_events(8)? {
                        if event.kind == event_kind::LOAD_STATUS_CHANGED && event.layer == layer.handle() {
                            loaded = event;
                        } else if event.kind == event_kind::REQUEST_FINISHED && event.request == request.handle() {
                            finished = event;
                        }
                    }
                }
                self.put(finished.request_state);
                self.put(loaded.load_status);
                self.put(Status(loaded.status).name());
            }
            _ => self.put("no such operation"),
        }
        Ok(())
    }
}

/// The values of a case. An operation that fails has three: the status, the argument and the message.
fn values(operation: &str, arguments: &[&str]) -> Outcome<Vec<Value>> {
    let mut case = Case { runtime: Runtime::create(None)?, arguments, found: Vec::new() };
    Ok(match case.run(operation) {
        Ok(()) => case.found,
        Err(why) => match why.downcast::<Error>() {
            Ok(error) => {
                let texts = [error.status.name(), error.argument.to_string(), error.message];
                texts.into_iter().map(Value::Text).collect()
            }
            Err(other) => vec![Value::Text(format!("not an error of Alidade: {}", other))],
        },
    })
}

fn shown(value: &Value) -> String {
    match value {
        Value::Real(number) => number.to_string(),
        Value::Text(text) if text.is_empty() => "\"\"".into(),
        Value::Text(text) => text.replace('\n', "\\n"),
    }
}

/// Whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself.
fn fits(found: &Value, expected: &str) -> bool {
    if let Value::Real(number) = found {
        let parts = expected.split_once('~').and_then(|(a, b)| Some((a.parse::<f64>().ok()?, b.parse::<f64>().ok()?)));
        return parts.map_or(false, |(wanted, tolerance)| {
            (number - wanted).abs() <= tolerance || (number.is_nan() && wanted.is_nan())
        });
    }
    match expected.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')) {
        Some(part) if !part.is_empty() => shown(found).contains(part),
        _ => shown(found) == expected,
    }
}

fn main() -> Outcome {
    let path = std::env::args().nth(1).ok_or("usage: conformance CASES")?;
    let (mut passed, mut failed) = (0, 0);
    for line in std::fs::read_to_string(path)?.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let equals = cells.iter().position(|&cell| cell == "=").ok_or("a case has no cell =")?;
        let expected = &cells[equals + 1..];
        let found = values(cells[1], &cells[2..equals])?;
        if found.len() == expected.len() && found.iter().zip(expected).all(|(value, text)| fits(value, text)) {
            passed += 1;
            continue;
        }
        failed += 1;
        let found: Vec<_> = found.iter().map(shown).collect();
        println!("FAILED  {}: expected | {}, found | {}", cells[0], expected.join(" | "), found.join(" | "));
    }
    println!("{} passed, {} failed", passed, failed);
    std::process::exit(if failed == 0 && passed > 0 { 0 } else { 1 });
}
