// cannot be sent between threads safely
use alidade::{Map, Result, Runtime};

fn main() -> Result<()> {
    let runtime = Runtime::create(None)?;
    let map = Map::create(&runtime, None)?;
    std::thread::spawn(move || map.get_layer_count()).join().unwrap()?;
    Ok(())
}
