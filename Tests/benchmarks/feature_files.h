/* FlatGeobufs of random features in longitude and latitude, from fixed seeds, as identify_peers.py makes them. */
#ifndef FEATURE_FILES_H
#define FEATURE_FILES_H

#include "bench.h"

#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <stdbool.h>
#include <string.h>

/* Of Web Mercator: a feature for each square of this size, on average. */
#define CELL_UNITS 100.0

static const double TAU = 6.283185307179586;

static void check(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s: %s\n", what, CPLGetLastErrorMsg());
  exit(1);
}

/* The sides of a square with so many features around (0, 0), in Web Mercator. */
static double side_of(uint32_t count) {
  return CELL_UNITS * sqrt((double)count);
}

/* The middle of a feature, and its size. */
static ald_point middle_of(uint64_t *state, double side, double *radius) {
  const double x = (random_unit(state) - 0.5) * side;
  const double y = (random_unit(state) - 0.5) * side;
  *radius = CELL_UNITS * (0.3 + 0.5 * random_unit(state));
  return (ald_point){x, y};
}

/* From Web Mercator to longitude and latitude. */
static ald_point on_globe(ald_point map) {
  const double radius = 6378137;
  return (ald_point){map.x / radius * 360 / TAU, atan(sinh(map.y / radius)) * 360 / TAU};
}

static ald_point corner_of(ald_point middle, double radius, int corner, int corner_count) {
  const double angle = TAU * corner / corner_count;
  return on_globe((ald_point){middle.x + radius * cos(angle), middle.y + radius * sin(angle)});
}

static OGRGeometryH shape_of(OGRwkbGeometryType kind, int corner_count, ald_point middle, double radius) {
  OGRGeometryH shape = OGR_G_CreateGeometry(kind);
  if (kind == wkbPoint) {
    const ald_point place = on_globe(middle);
    OGR_G_SetPoint_2D(shape, 0, place.x, place.y);
    return shape;
  }
  OGRGeometryH path = kind == wkbPolygon ? OGR_G_CreateGeometry(wkbLinearRing) : shape;
  OGR_G_SetPointCount(path, corner_count + 1);
  for (int corner = 0; corner <= corner_count; corner++) {
    const ald_point place = corner_of(middle, radius, corner % corner_count, corner_count);
    OGR_G_SetPoint_2D(path, corner, place.x, place.y);
  }
  if (kind == wkbPolygon)
    OGR_G_AddGeometryDirectly(shape, path);
  return shape;
}

/* In longitude and latitude, from a fixed seed, with three fields, on the area for area_count features. */
static void make_file(const char *path, OGRwkbGeometryType kind, int corner_count, uint32_t count,
                      uint32_t area_count) {
  FILE *there = fopen(path, "rb");
  if (there != NULL) {
    fclose(there);
    return;
  }
  char part[640];
  snprintf(part, sizeof part, "%s.part.fgb", path);
  remove(part);
  uint64_t state = count;
  OGRSpatialReferenceH wgs84 = OSRNewSpatialReference(NULL);
  check(OSRImportFromEPSG(wgs84, 4326) == OGRERR_NONE, "EPSG:4326");
  OSRSetAxisMappingStrategy(wgs84, OAMS_TRADITIONAL_GIS_ORDER);
  GDALDatasetH data = GDALCreate(GDALGetDriverByName("FlatGeobuf"), part, 0, 0, 0, GDT_Unknown, NULL);
  check(data != NULL, part);
  OGRLayerH layer = GDALDatasetCreateLayer(data, "features", wgs84, kind, NULL);
  check(layer != NULL, part);
  const struct {
    const char *name;
    OGRFieldType type;
  } fields[] = {{"number", OFTInteger64}, {"name", OFTString}, {"size", OFTReal}};
  for (size_t i = 0; i < 3; i++) {
    OGRFieldDefnH field = OGR_Fld_Create(fields[i].name, fields[i].type);
    check(OGR_L_CreateField(layer, field, 1) == OGRERR_NONE, part);
    OGR_Fld_Destroy(field);
  }
  for (uint32_t i = 0; i < count; i++) {
    char name[32];
    double radius;
    const ald_point middle = middle_of(&state, side_of(area_count), &radius);
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    snprintf(name, sizeof name, "feature %u", i);
    OGR_F_SetFieldInteger64(feature, 0, i);
    OGR_F_SetFieldString(feature, 1, name);
    OGR_F_SetFieldDouble(feature, 2, radius);
    OGR_F_SetGeometryDirectly(feature, shape_of(kind, corner_count, middle, radius));
    check(OGR_L_CreateFeature(layer, feature) == OGRERR_NONE, part);
    OGR_F_Destroy(feature);
  }
  GDALClose(data);
  OSRDestroySpatialReference(wgs84);
  check(rename(part, path) == 0, path);
}

#endif
