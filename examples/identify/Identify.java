// Identifies the cell under a tap, and shows what errors say. examples/identify/run builds and runs it.
import alidade.AlidadeException;
import alidade.IdentifyResult;
import alidade.Map;
import alidade.Raster;
import alidade.RasterLayer;
import alidade.Runtime;
import alidade.SpatialReference;
import alidade.Structs;
import alidade.View;

final class Identify {
  private static final String ELEVATION = "examples/quickstart/data/Shasta_Elevation.tif";

  public static void main(String[] arguments) throws AlidadeException {
    try (Runtime runtime = Runtime.create(null)) { // and all objects that are created with it
      RasterLayer layer = RasterLayer.createFromPath(runtime, ELEVATION, null);
      Map map = Map.create(runtime, SpatialReference.create(runtime, "EPSG:3857"));
      map.addLayer(layer);
      map.load();
      map.setInitialLocation(40.7624, -122.1621, 72000);
      Structs.ViewOptions size = new Structs.ViewOptions();
      size.widthDip = 800;
      size.heightDip = 600;
      View view = View.create(map, size);

      IdentifyResult result = view.identify(400, 300, 0, 0, null);
      for (int index = 0; index < result.getInfo().elementCount; index++) {
        Structs.IdentifyCell cell = result.getCellAt(index);
        double height = result.findAttribute(index, "Band 1").real;
        System.out.printf("column %d, row %d%n%.6f%n", cell.column, cell.row, height);
        System.out.println(result.getElementAt(index).text);
      }

      try {
        Raster.open(runtime, "missing.tif", null);
      } catch (AlidadeException missing) {
        show(missing);
      }
      try {
        view.identify(400, 300, -1, 0, null);
      } catch (AlidadeException negative) {
        show(negative);
      }
    }
  }

  private static void show(AlidadeException error) {
    System.out.printf("%s, argument %d: %s%n", error.statusName(), error.argument, error.getMessage());
  }
}
