/* Geometries put together by a C host: as an array and as a collection, from several spatial references. */
#include "scene.h"

#include <string.h>

static ald_runtime runtime;
static ald_spatial_reference mercator, world;
static const ald_spatial_reference none = {0};

static ald_geometry geometry(const char *wkt, ald_spatial_reference in) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(runtime, wkt, in, &made, &error), &error);
  return made;
}

/* What both functions answer, which must be the same; what they make is released, but for a receipt. */
static ald_status gather(const ald_geometry *geometries, size_t count, ald_projection_receipt *out_receipt,
                         ald_error *error) {
  ald_geometry_array array = {1};
  ald_geometry collection = {1};
  ald_projection_receipt receipt = {1};
  const ald_status status = ald_geometry_create_collection(runtime, geometries, count, &collection, &receipt, error);
  CHECK((collection.id != 0) == (status == ALD_STATUS_OK));
  ald_projection_receipt_release(receipt);
  ald_geometry_release(collection);
  receipt.id = 1;
  CHECK(ald_geometry_array_create_from_geometries(runtime, geometries, count, &array, &receipt, error) == status);
  CHECK((array.id != 0) == (status == ALD_STATUS_OK));
  ald_geometry_array_release(array);
  if (out_receipt)
    *out_receipt = receipt;
  else
    ald_projection_receipt_release(receipt);
  return status;
}

static void test_receipts(void) {
  ald_error error;
  ald_projection_receipt receipt;
  const ald_geometry given[3] = {geometry("POINT (1 2)", world), geometry("LINESTRING (0 0, 1e6 0)", mercator),
                                 geometry("POINT EMPTY", mercator)};
  CHECK_OK(gather(given, 3, &receipt, &error), &error);
  ald_projection_receipt_info info = ALD_PROJECTION_RECEIPT_INFO_INIT;
  CHECK_OK(ald_projection_receipt_get_info(receipt, &info, &error), &error);
  CHECK(info.point_count == 2 && info.failed_count == 0 && info.operation_count == 1);
  ald_projection_receipt_release(receipt);
  /* Nothing had to be projected. */
  CHECK_OK(gather(given, 1, &receipt, &error), &error);
  CHECK(receipt.id == 0);
  CHECK_OK(gather(given + 1, 2, &receipt, &error), &error);
  CHECK(receipt.id == 0);
  CHECK_OK(gather(NULL, 0, &receipt, &error), &error);
  CHECK(receipt.id == 0);
  /* Without a receipt; and the result outlives what it was made of. */
  ald_geometry collection, member;
  ald_geometry_info facts = ALD_GEOMETRY_INFO_INIT;
  CHECK_OK(ald_geometry_create_collection(runtime, given, 2, &collection, NULL, &error), &error);
  for (int i = 0; i < 3; i++)
    ald_geometry_release(given[i]);
  CHECK_OK(ald_geometry_create_member(collection, 1, &member, &error), &error);
  CHECK_OK(ald_geometry_get_info(member, &facts, &error), &error);
  CHECK(facts.vertex_count == 2 && facts.envelope.x_max > 8.98 && facts.envelope.x_max < 8.99);
  ald_geometry_release(member);
  ald_geometry_release(collection);
}

static void test_refused(void) {
  ald_error error;
  ald_projection_receipt receipt = {1};
  ald_geometry collection = {1};
  ald_geometry_array array = {1};
  ald_geometry given[2] = {geometry("POINT (1 2)", mercator), geometry("POINT (0 90)", world)};
  CHECK_STATUS(gather(given, 2, &receipt, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK(receipt.id == 0 && holds_text(error.message, "geometry 1, path 0, vertex 0"));
  ald_geometry_release(given[1]);
  CHECK_STATUS(gather(given, 2, &receipt, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK(receipt.id == 0 && holds_text(error.message, "geometries[1]") && error.argument == 2);
  given[1] = geometry("POINT (1 2)", none);
  CHECK_STATUS(gather(given, 2, &receipt, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(holds_text(error.message, "no spatial reference") && error.argument == 2);
  CHECK_STATUS(gather(NULL, 1, &receipt, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(gather(given, SIZE_MAX, &receipt, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(gather(given, (size_t)1 << 40, &receipt, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_geometry_create_collection(runtime, given, 1, NULL, &receipt, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_from_geometries(runtime, given, 1, NULL, &receipt, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  ald_runtime elsewhere;
  CHECK_OK(ald_runtime_create(NULL, &elsewhere, &error), &error);
  CHECK_STATUS(ald_geometry_create_collection(elsewhere, given, 1, &collection, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_from_geometries(elsewhere, given, 1, &array, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(collection.id == 0 && array.id == 0);
  ald_runtime_release(elsewhere);
  ald_geometry_release(given[0]);
  ald_geometry_release(given[1]);
}

int main(void) {
  ald_error error;
  if (CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error)) {
    CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 3857, &mercator, &error), &error);
    CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 4326, &world, &error), &error);
    test_receipts();
    test_refused();
    ald_spatial_reference_release(mercator);
    ald_spatial_reference_release(world);
    CHECK(live_handles(runtime) == 1);
    ald_runtime_release(runtime);
  }
  return finish();
}
