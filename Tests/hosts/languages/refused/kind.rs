// mismatched types
use alidade::{Map, Result, Runtime, View};

fn main() -> Result<()> {
    let runtime = Runtime::create(None)?;
    let map = Map::create(&runtime, None)?;
    let view = View::create(&map, None)?;
    map.add_layer(&view)
}
