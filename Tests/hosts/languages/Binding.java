// What the Java binding promises beyond the table of cases: Binding, in the root of the repository.
//
// Prints what fails and, last, "N passed, N failed".
import alidade.*;
import alidade.Constants.*;
import alidade.Runtime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public final class Binding {
  private static final String ELEVATION = "examples/quickstart/data/Shasta_Elevation.tif";
  private static final String COUNTRIES = "examples/world_identify/data/countries.fgb";
  private static int passed, failed;

  private interface Call {
    void run() throws AlidadeException;
  }

  private static void check(boolean holds, String what) {
    if (holds) {
      passed++;
    } else {
      failed++;
      System.out.println("FAILED  " + what);
    }
  }

  /** The error of a call; null if it has none. */
  private static AlidadeException error(Call call) {
    try {
      call.run();
      return null;
    } catch (AlidadeException why) {
      return why;
    }
  }

  private static boolean fails(int status, String part, Call call) {
    AlidadeException why = error(call);
    return why != null && why.status == status && why.getMessage().contains(part);
  }

  private static Geometry square(Runtime runtime) throws AlidadeException {
    return Geometry.createFromWkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", null);
  }

  private static void errors(Runtime runtime) throws AlidadeException {
    AlidadeException missing = error(() -> Raster.open(runtime, "missing.tif", null));
    check(missing.status == Status.NOT_FOUND && missing.argument == 2, "an error has status and argument");
    check(missing.domain == ErrorDomain.SYSTEM && missing.domainCode == 2, "and the system's code");
    check(missing.toString().startsWith("ALD_STATUS_NOT_FOUND: \"missing.tif\""), "it shows its status and message");
    check(fails(Status.INVALID_ARGUMENT, "NUL", () -> Raster.open(runtime, "a\0b", null)), "a text with a NUL is refused");
    check(fails(Status.INVALID_ARGUMENT, "raster", () -> RasterLayer.create(null)), "null for an object is refused");
    Layer layer = RasterLayer.createFromPath(runtime, "missing.tif", null);
    check(fails(Status.NOT_FOUND, "missing.tif", layer::load), "a layer without a file does not load");
    Structs.LoadInfo info = layer.getLoadInfo();
    check(info.error.status == Status.NOT_FOUND && info.error.message.contains("missing.tif"), "an error in a struct");
  }

  private static void sizes(Runtime runtime) throws AlidadeException {
    SpatialReference degrees = SpatialReference.create(runtime, "EPSG:4326");
    SpatialReference mercator = SpatialReference.create(runtime, "EPSG:3857");
    double[] points = {1, 2, 3, 4}, images = new double[4];
    int invalid = Status.INVALID_ARGUMENT;
    check(fails(invalid, "out_xy", () -> degrees.projectPoints(mercator, points, new double[2], null)), "a short array");
    check(fails(invalid, "out_statuses", () -> degrees.projectPoints(mercator, points, images, new byte[1])), "a second one");
    check(fails(invalid, "xy", () -> degrees.projectPoints(mercator, new double[3], images, null)), "half a point");
    check(error(() -> degrees.projectPoints(mercator, points, images, null)) == null, "an array that is not wanted");
    check(
        fails(invalid, "to_xy", () -> degrees.geodesicInverse(0, points, new double[2], null, null, null)),
        "arrays with one count have one size");
    GeometryArray array = GeometryArray.createFromGeometries(runtime, new Geometry[] {square(runtime), square(runtime)}, null);
    check(
        fails(Status.BUFFER_TOO_SMALL, "", () -> array.lengths(null, new double[1])),
        "an array with a capacity is checked by the library");
  }

  private static void structs(Runtime runtime) throws AlidadeException {
    FeatureSource source = FeatureSource.open(runtime, COUNTRIES, null);
    Structs.FeatureQuery query = new Structs.FeatureQuery();
    query.where = "a\0b";
    check(fails(Status.INVALID_ARGUMENT, "NUL", () -> source.query(query)), "a text with a NUL in a struct is refused");
    query.where = null;
    query.flags = FeatureQueryFlags.HAS_IDS;
    query.ids = new long[] {3, 5, 8};
    long[] ids = source.query(query).getColumns().ids;
    check(Arrays.equals(ids, new long[] {3, 5, 8}), "an array in a struct goes in and comes out");

    Structs.Policy policy = new Structs.Policy();
    policy.drivers = new String[] {"GTiff"};
    Structs.RuntimeOptions options = new Structs.RuntimeOptions();
    options.policy = policy;
    try (Runtime strict = Runtime.create(options)) {
      check(fails(Status.POLICY_REFUSED, "", () -> FeatureSource.open(strict, COUNTRIES, null)), "a struct in a struct");
      check(Raster.open(strict, ELEVATION, null).getInfo().bandCount == 1, "and what it allows");
    }

    Structs.GeometryColumns columns = square(runtime).getColumns();
    check(Arrays.equals(columns.xy, new double[] {0, 0, 4, 0, 4, 4, 0, 4, 0, 0}), "coordinates come out");
    check(Arrays.equals(columns.vertexOffsets, new int[] {0, 5}), "offsets have one more");
    check(Geometry.create(runtime, columns, null).area(null) == 16, "and go in");
    columns.z = new double[1];
    check(fails(Status.INVALID_ARGUMENT, "sizes", () -> Geometry.create(runtime, columns, null)), "columns of two sizes");

    GraphicsOverlay overlay = GraphicsOverlay.create(runtime, null);
    GeometryArray array = GeometryArray.createFromGeometries(runtime, new Geometry[] {square(runtime), square(runtime)}, null);
    Structs.GraphicAttributes names = new Structs.GraphicAttributes();
    names.name = "name";
    names.type = GraphicValueType.TEXT;
    names.texts = new String[] {"one", "Straße"};
    Structs.GraphicColumns graphics = new Structs.GraphicColumns();
    graphics.zIndexes = new int[] {1, 2};
    graphics.attributes = new Structs.GraphicAttributes[] {names};
    long first = overlay.addGraphics(array, graphics);
    graphics.zIndexes = new int[1];
    check(fails(Status.INVALID_ARGUMENT, "sizes", () -> overlay.addGraphics(array, graphics)), "inside of them, too");
    Structs.GraphicValue value = new Structs.GraphicValue();
    check(overlay.findAttribute(first + 1, "name", value).equals("Straße"), "an array of structs with arrays");
    check(value.type == GraphicValueType.TEXT, "a second result fills a struct");
    Structs.GraphicsRenderer renderer = new Structs.GraphicsRenderer();
    renderer.kind = GraphicsRendererKind.UNIQUE_VALUE;
    renderer.fields = new String[] {"name"};
    renderer.symbols = new Structs.Symbol[] {new Structs.Symbol()};
    Structs.GraphicValue wanted = new Structs.GraphicValue();
    wanted.type = GraphicValueType.TEXT;
    wanted.text = "one";
    renderer.values = new Structs.GraphicValue[] {wanted};
    check(error(() -> overlay.setRenderer(renderer)) == null, "texts in an array of structs");

    Structs.Envelope box = new Structs.Envelope(0, 0, 2, 8);
    check(square(runtime).createClipped(box).area(null) == 8, "a box as an argument");
  }

  private static void objects(Runtime runtime) throws AlidadeException {
    long before = runtime.getHandleCount();
    Map map = Map.create(runtime, null);
    try (Raster raster = Raster.open(runtime, ELEVATION, null); RasterLayer layer = RasterLayer.create(raster)) {
      map.addLayer(layer);
      check(layer.getRaster().equals(raster) && !layer.getRaster().isOwned(), "objects are equal if they are the same");
    }
    try (Layer layer = map.getLayerAt(0)) {
      check(layer.getInfo().kind == LayerKind.RASTER, "the map keeps its layer");
    }
    check(map.getLayerCount() == 1, "a borrowed object releases nothing");
    map.close();
    map.close();
    check(fails(Status.INVALID_HANDLE, "", map::getLayerCount), "an object that was closed is an error");
    check(runtime.getHandleCount() == before, "all objects were released");
  }

  /** What nobody holds is released by the collector. */
  private static void collected(Runtime runtime) throws AlidadeException, InterruptedException {
    System.gc();
    Thread.sleep(100);
    long before = runtime.getHandleCount();
    for (int count = 0; count < 1000; count++) square(runtime);
    check(runtime.getHandleCount() > before, "objects that nobody closed");
    for (int round = 0; round < 100 && runtime.getHandleCount() > before; round++) {
      System.gc();
      Thread.sleep(20);
    }
    check(runtime.getHandleCount() <= before, "are released by the garbage collector");
  }

  private static void threads(Runtime runtime) throws AlidadeException, InterruptedException {
    SpatialReference mercator = SpatialReference.create(runtime, "EPSG:3857");
    AtomicInteger right = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int worker = 0; worker < 4; worker++) {
      String name = "missing" + worker;
      Thread thread = new Thread(() -> {
        for (int count = 0; count < 200; count++) {
          if (fails(Status.NOT_FOUND, name, () -> Raster.open(runtime, name, null))) right.incrementAndGet();
          if (error(() -> mercator.getInfo()) == null) right.incrementAndGet();
        }
      });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) thread.join();
    check(right.get() == 1600, "four threads have their own errors");
  }

  private static void requests(Runtime runtime) throws AlidadeException {
    List<Request> calls = new ArrayList<>();
    RequestOptions noted = new RequestOptions(), thrower = new RequestOptions();
    noted.onDone = calls::add;
    thrower.onDone = request -> { throw new IllegalStateException("as the test wants"); };
    Request first = Raster.openAsync(runtime, ELEVATION, null, thrower);
    Request second = Raster.openAsync(runtime, "missing.tif", null, noted);
    first.waitFor(Constants.ALL);
    second.waitFor(Constants.ALL);
    System.gc();
    check(calls.isEmpty(), "functions are called by pump alone");
    try {
      runtime.pump(Constants.ALL);
      check(false, "what a function throws is thrown by pump");
    } catch (IllegalStateException why) {
      check(why.getMessage().equals("as the test wants"), "what a function throws is thrown by pump");
    }
    runtime.pump(Constants.ALL);
    check(calls.equals(List.of(second)), "and the other function was called");
    check(first.takeRaster().getInfo().bandCount == 1, "the result can be taken");
    check(fails(Status.NOT_FOUND, "missing.tif", second::takeRaster), "and the error");
    GroupLayer layer = GroupLayer.create(runtime);
    layer.close();
    check(fails(Status.INVALID_HANDLE, "", () -> layer.loadAsync(noted)), "a request that does not begin is an error");
  }

  private static void receipts(Runtime runtime) throws AlidadeException {
    Geometry a = Geometry.createFromWkt(runtime, "POINT (1 2)", SpatialReference.create(runtime, "EPSG:4326"));
    Geometry b = Geometry.createFromWkt(runtime, "POINT (0 0)", SpatialReference.create(runtime, "EPSG:3857"));
    ProjectionReceipt[] receipt = new ProjectionReceipt[1];
    a.distance(b, null, receipt);
    check(receipt[0] != null && receipt[0].getInfo().operationCount == 1, "a receipt comes on request");
  }

  public static void main(String[] arguments) throws AlidadeException, InterruptedException {
    try (Runtime runtime = Runtime.create(null)) {
      errors(runtime);
      sizes(runtime);
      structs(runtime);
      objects(runtime);
      collected(runtime);
      threads(runtime);
      requests(runtime);
      receipts(runtime);
    }
    System.out.printf("%d passed, %d failed%n", passed, failed);
    System.exit(failed == 0 ? 0 : 1);
  }
}
