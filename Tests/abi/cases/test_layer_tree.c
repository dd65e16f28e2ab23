/* Trees of layers: basemap, operational layers and groups; what a layer inherits; texts, properties, extents. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scene stage;
static ald_error error;

static ald_layer new_layer(void) {
  ald_layer layer = {0};
  CHECK_OK(ald_raster_layer_create(stage.raster, &layer, &error), &error);
  return layer;
}

static ald_layer new_group(void) {
  ald_layer layer = {0};
  CHECK_OK(ald_group_layer_create(stage.runtime, &layer, &error), &error);
  return layer;
}

static ald_layer_info info_of(ald_layer layer) {
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  CHECK_OK(ald_layer_get_info(layer, &info, &error), &error);
  return info;
}

typedef ald_status (*layer_at)(ald_map map, uint32_t index, ald_layer *out_layer, ald_error *error);

/* Whether a map's list has these layers and no others, in this order. */
static void check_list(layer_at at, ald_map map, const ald_layer *layers, uint32_t count) {
  ald_layer found;
  for (uint32_t i = 0; i < count; i++)
    CHECK(at(map, i, &found, &error) == ALD_STATUS_OK && found.id == layers[i].id);
  CHECK_STATUS(at(map, count, &found, &error), ALD_STATUS_NOT_FOUND);
  CHECK(found.id == 0 && error.argument == 2);
}

static void test_maps_lists(void) {
  const ald_layer a = new_layer(), b = new_layer(), c = new_layer();
  ald_map map;
  uint32_t count = 9;
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_map_insert_layer(map, a, 0, &error), &error);
  CHECK_OK(ald_map_insert_layer(map, b, 0, &error), &error);
  CHECK_OK(ald_map_insert_layer(map, c, 1, &error), &error);
  check_list(ald_map_get_layer_at, map, (ald_layer[]){b, c, a}, 3);
  CHECK_OK(ald_map_move_layer(map, b, 2, &error), &error);
  check_list(ald_map_get_layer_at, map, (ald_layer[]){c, a, b}, 3);
  CHECK_STATUS(ald_map_move_layer(map, b, 3, &error), ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_map_remove_layer(map, a, &error), &error);
  CHECK_OK(ald_map_add_basemap_layer(map, a, &error), &error);
  CHECK_OK(ald_map_remove_layer(map, b, &error), &error);
  CHECK_STATUS(ald_map_move_layer(map, b, 0, &error), ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_map_insert_basemap_layer(map, b, 0, &error), &error);
  check_list(ald_map_get_basemap_layer_at, map, (ald_layer[]){b, a}, 2);
  check_list(ald_map_get_layer_at, map, &c, 1);
  CHECK_OK(ald_map_move_layer(map, b, 1, &error), &error);
  check_list(ald_map_get_basemap_layer_at, map, (ald_layer[]){a, b}, 2);
  CHECK(ald_map_get_basemap_layer_count(map, &count, NULL) == ALD_STATUS_OK && count == 2);
  CHECK(info_of(a).flags == (ALD_LAYER_VISIBLE | ALD_LAYER_SHOWN | ALD_LAYER_IN_BASEMAP));
  CHECK(info_of(c).flags == (ALD_LAYER_VISIBLE | ALD_LAYER_SHOWN) && info_of(c).map.id == map.id);

  /* What is in is not put in again, here or elsewhere. */
  CHECK_STATUS(ald_map_add_layer(map, a, &error), ALD_STATUS_INVALID_STATE);
  CHECK(error.argument == 2 && holds_text(error.message, "in a map already"));
  CHECK_STATUS(ald_map_add_layer(map, c, &error), ALD_STATUS_INVALID_STATE);
  CHECK(holds_text(error.message, "in this map already"));
  CHECK_STATUS(ald_map_insert_layer(map, c, 0, &error), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_map_add_basemap_layer(map, c, &error), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_map_insert_basemap_layer(map, c, 0, &error), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_map_insert_layer(stage.map, c, 7, &error), ALD_STATUS_NOT_FOUND);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_map_insert_basemap_layer(stage.map, c, 1, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_map_get_basemap_layer_count(map, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_get_basemap_layer_at(map, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);

  /* A map that ends lets its layers go. */
  ald_map_release(map);
  CHECK(info_of(a).map.id == 0 && info_of(a).flags == (ALD_LAYER_VISIBLE | ALD_LAYER_SHOWN));
  CHECK_OK(ald_map_add_layer(stage.map, a, &error), &error);
  CHECK_OK(ald_map_remove_layer(stage.map, a, &error), &error);
  ald_layer_release(a);
  ald_layer_release(b);
  ald_layer_release(c);
}

static void test_groups(void) {
  const ald_layer group = new_group(), a = new_layer(), b = new_layer();
  ald_layer found;
  uint32_t count;
  CHECK_OK(ald_group_layer_add_layer(group, a, &error), &error);
  CHECK_OK(ald_group_layer_insert_layer(group, b, 0, &error), &error);
  CHECK(ald_group_layer_get_layer_count(group, &count, NULL) == ALD_STATUS_OK && count == 2);
  CHECK(ald_group_layer_get_layer_at(group, 0, &found, NULL) == ALD_STATUS_OK && found.id == b.id);
  CHECK_OK(ald_group_layer_move_layer(group, b, 1, &error), &error);
  CHECK(ald_group_layer_get_layer_at(group, 1, &found, NULL) == ALD_STATUS_OK && found.id == b.id);
  CHECK(info_of(b).group.id == group.id && info_of(b).depth == 1 && info_of(b).map.id == 0);
  CHECK(info_of(group).kind == ALD_LAYER_KIND_GROUP && info_of(b).kind == ALD_LAYER_KIND_RASTER);

  CHECK_STATUS(ald_group_layer_get_layer_at(group, 2, &found, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_group_layer_move_layer(group, b, 2, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_group_layer_move_layer(group, stage.layer, 0, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_group_layer_remove_layer(group, stage.layer, &error), ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_group_layer_remove_layer(group, a, &error), &error);
  CHECK_STATUS(ald_group_layer_insert_layer(group, a, 2, &error), ALD_STATUS_NOT_FOUND);
  CHECK(error.argument == 3);
  CHECK_OK(ald_group_layer_insert_layer(group, a, 0, &error), &error);
  CHECK_STATUS(ald_group_layer_add_layer(group, a, &error), ALD_STATUS_INVALID_STATE);
  CHECK(holds_text(error.message, "in this group already"));
  CHECK_STATUS(ald_group_layer_insert_layer(group, stage.layer, 0, &error), ALD_STATUS_INVALID_STATE);
  CHECK(holds_text(error.message, "in a map already"));
  CHECK_STATUS(ald_map_add_layer(stage.map, a, &error), ALD_STATUS_INVALID_STATE);
  CHECK(holds_text(error.message, "in a group already"));
  CHECK_STATUS(ald_map_move_layer(stage.map, a, 0, &error), ALD_STATUS_NOT_FOUND);

  /* What is no group. */
  CHECK_STATUS(ald_group_layer_add_layer(a, b, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 1 && holds_text(error.message, "no group"));
  CHECK_STATUS(ald_group_layer_insert_layer(a, b, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_group_layer_move_layer(a, b, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_group_layer_remove_layer(a, b, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_group_layer_get_layer_count(a, &count, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_group_layer_get_layer_at(a, 0, &found, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_raster_layer_get_raster(group, &(ald_raster){0}, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_get_layer_coverage(stage.view, group, &(double){0}, &error), ALD_STATUS_INVALID_ARGUMENT);

  /* A map that gets a group gets all in it: it is looked at, and its spatial reference taken. */
  ald_map map;
  ald_spatial_reference reference;
  CHECK_OK(ald_map_create(stage.runtime, (ald_spatial_reference){0}, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, group, &error), &error);
  CHECK_OK(ald_map_get_spatial_reference(map, &reference, &error), &error);
  CHECK(info_of(a).map.id == map.id && info_of(group).map.id == map.id && info_of(group).group.id == 0);
  CHECK_STATUS(ald_map_remove_layer(map, a, &error), ALD_STATUS_NOT_FOUND);
  CHECK(holds_text(error.message, "in a group"));
  CHECK_OK(ald_group_layer_remove_layer(group, a, &error), &error);
  CHECK(info_of(a).map.id == 0 && info_of(a).group.id == 0 && info_of(a).depth == 0);
  CHECK_OK(ald_map_remove_layer(map, group, &error), &error);
  CHECK(info_of(b).map.id == 0 && info_of(b).group.id == group.id);

  /* A group that ends lets its layers go; a layer that is kept by a group only ends with it. */
  ald_layer_release(group);
  CHECK(info_of(b).group.id == 0);
  ald_layer_release(a);
  ald_layer_release(b);
  ald_map_release(map);
}

static void test_rings_and_depth(void) {
  enum { LIMIT = 64 };
  ald_layer groups[LIMIT + 1];
  for (int i = 0; i <= LIMIT; i++)
    groups[i] = new_group();
  CHECK_STATUS(ald_group_layer_add_layer(groups[0], groups[0], &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2 && holds_text(error.message, "itself"));
  CHECK_OK(ald_group_layer_add_layer(groups[0], groups[1], &error), &error);
  CHECK_OK(ald_group_layer_add_layer(groups[1], groups[2], &error), &error);
  CHECK_STATUS(ald_group_layer_add_layer(groups[2], groups[0], &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(holds_text(error.message, "inside itself"));
  CHECK_STATUS(ald_group_layer_insert_layer(groups[1], groups[0], 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  for (int i = 2; i < LIMIT - 1; i++)
    CHECK_OK(ald_group_layer_add_layer(groups[i], groups[i + 1], &error), &error);
  CHECK_STATUS(ald_group_layer_add_layer(groups[LIMIT - 1], groups[LIMIT], &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_group_layer_insert_layer(groups[LIMIT - 1], groups[LIMIT], 0, &error), ALD_STATUS_LIMIT_EXCEEDED);
  /* It counts what the group that comes in holds. */
  CHECK_OK(ald_group_layer_remove_layer(groups[30], groups[31], &error), &error);
  CHECK_OK(ald_group_layer_add_layer(groups[LIMIT], groups[31], &error), &error);
  CHECK_STATUS(ald_group_layer_add_layer(groups[30], groups[LIMIT], &error), ALD_STATUS_LIMIT_EXCEEDED);
  const ald_layer leaf = new_layer();
  CHECK_OK(ald_group_layer_add_layer(groups[LIMIT - 1], leaf, &error), &error);
  CHECK(info_of(leaf).depth == LIMIT - 31 + 1);
  CHECK_OK(ald_layer_set_visible(groups[LIMIT], 0, &error), &error);
  CHECK(info_of(leaf).flags == ALD_LAYER_VISIBLE);
  for (int i = 0; i <= LIMIT; i++)
    ald_layer_release(groups[i]);
  CHECK(info_of(leaf).flags == (ALD_LAYER_VISIBLE | ALD_LAYER_SHOWN) && info_of(leaf).depth == 0);
  ald_layer_release(leaf);
}

static int identified(void) {
  ald_cell cell;
  if (!CHECK_OK(ald_view_read_cell(stage.view, stage.layer, SCENE_MIDDLE, &cell, NULL, 0, &error), &error))
    return -1;
  ald_identify_result result;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  CHECK_OK(ald_view_identify_layer(stage.view, stage.layer, SCENE_MIDDLE, 0, 1, NULL, &result, &error), &error);
  CHECK_OK(ald_identify_result_get_info(result, &info, &error), &error);
  ald_identify_result_release(result);
  /* The picture shows what is identified. */
  static picture picture;
  CHECK(read_picture(&stage, &picture) == ALD_STATUS_OK);
  CHECK((picture.pixels[4 * (50 * 200 + 100) + 3] != 0) == (cell.verdict != ALD_CELL_VERDICT_OUTSIDE));
  CHECK((cell.verdict != ALD_CELL_VERDICT_OUTSIDE) == (info.element_count == 1));
  return cell.verdict != ALD_CELL_VERDICT_OUTSIDE;
}

/* The layer of the scene in two groups: what they say counts for it. */
static void test_what_is_inherited(void) {
  const ald_layer outer = new_group(), inner = new_group();
  CHECK_OK(ald_map_remove_layer(stage.map, stage.layer, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(inner, stage.layer, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(outer, inner, &error), &error);
  CHECK_OK(ald_map_add_layer(stage.map, outer, &error), &error);
  CHECK(identified() == 1);
  const ald_layer all[] = {outer, inner, stage.layer};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(ald_layer_set_visible(all[i], 0, &error), &error);
    CHECK(identified() == 0);
    CHECK_OK(ald_layer_set_visible(all[i], 1, &error), &error);
    CHECK(identified() == 1);
    /* The view's scale is 100,000; both ends are inside. */
    CHECK_OK(ald_layer_set_scale_range(all[i], 99999.99, 0, &error), &error);
    CHECK(identified() == 0);
    CHECK_OK(ald_layer_set_scale_range(all[i], 0, 100000.01, &error), &error);
    CHECK(identified() == 0);
    CHECK_OK(ald_layer_set_scale_range(all[i], 100000, 100000, &error), &error);
    CHECK(identified() == 1);
    CHECK_OK(ald_layer_set_scale_range(all[i], 0, 0, &error), &error);
  }
  CHECK_OK(ald_layer_set_opacity(outer, 0.5, &error), &error);
  CHECK_OK(ald_layer_set_opacity(stage.layer, 0.25, &error), &error);
  CHECK_OK(ald_layer_set_scale_range(outer, 1e6, 1e3, &error), &error);
  CHECK_OK(ald_layer_set_scale_range(stage.layer, 0, 5e3, &error), &error);
  const ald_layer_info info = info_of(stage.layer);
  CHECK(info.opacity == 0.25 && info.effective_opacity == 0.125 && info.depth == 2 && info.group.id == inner.id);
  CHECK(info.min_scale == 0 && info.max_scale == 5e3);
  CHECK(info.effective_min_scale == 1e6 && info.effective_max_scale == 5e3);
  CHECK(info.map.id == stage.map.id);
  static picture picture;
  CHECK(read_picture(&stage, &picture) == ALD_STATUS_OK);
  /* An eighth of 255. */
  CHECK(picture.pixels[4 * (50 * 200 + 100) + 3] == 32);
  CHECK_OK(ald_layer_set_opacity(stage.layer, 0.5, &error), &error);
  CHECK(info_of(stage.layer).generation > info.generation);

  CHECK_STATUS(ald_layer_set_opacity(stage.layer, 1.01, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_set_opacity(stage.layer, (double)NAN, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_set_scale_range(stage.layer, 1e3, 1e4, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_set_scale_range(stage.layer, -1, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_set_scale_range(stage.layer, 0, (double)INFINITY, &error), ALD_STATUS_INVALID_ARGUMENT);

  CHECK_OK(ald_map_remove_layer(stage.map, outer, &error), &error);
  CHECK_OK(ald_group_layer_remove_layer(inner, stage.layer, &error), &error);
  CHECK_OK(ald_layer_set_opacity(stage.layer, 1, &error), &error);
  CHECK_OK(ald_layer_set_scale_range(stage.layer, 0, 0, &error), &error);
  CHECK_OK(ald_map_add_layer(stage.map, stage.layer, &error), &error);
  CHECK(info_of(stage.layer).effective_opacity == 1);
  ald_layer_release(outer);
  ald_layer_release(inner);
}

static void test_texts(void) {
  char text[16];
  size_t size = 0;
  uint32_t count = 9;
  const ald_layer layer = stage.layer;
  CHECK_OK(ald_layer_get_text(layer, ALD_LAYER_TEXT_KIND_NAME, text, sizeof text, NULL, &error), &error);
  CHECK(is_text(text, ""));
  CHECK_OK(ald_layer_set_text(layer, ALD_LAYER_TEXT_KIND_NAME, "H\xc3\xb6hen", &error), &error);
  CHECK_OK(ald_layer_set_text(layer, ALD_LAYER_TEXT_KIND_ATTRIBUTION, "USGS", &error), &error);
  CHECK_OK(ald_layer_get_text(layer, ALD_LAYER_TEXT_KIND_NAME, text, sizeof text, &size, &error), &error);
  CHECK(is_text(text, "H\xc3\xb6hen") && size == 7);
  CHECK_STATUS(ald_layer_get_text(layer, ALD_LAYER_TEXT_KIND_NAME, text, 6, &size, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_layer_get_text(layer, 4, text, sizeof text, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_set_text(layer, 0, "", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_set_text(layer, ALD_LAYER_TEXT_KIND_ID, "\xff", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_layer_set_text(layer, ALD_LAYER_TEXT_KIND_NAME, NULL, &error), &error);
  CHECK_OK(ald_layer_get_text(layer, ALD_LAYER_TEXT_KIND_NAME, text, sizeof text, NULL, &error), &error);
  CHECK(is_text(text, ""));

  CHECK_OK(ald_layer_set_property(layer, "b", "1", &error), &error);
  CHECK_OK(ald_layer_set_property(layer, "a", "", &error), &error);
  CHECK_OK(ald_layer_set_property(layer, "b", "2", &error), &error);
  CHECK(ald_layer_get_property_count(layer, &count, NULL) == ALD_STATUS_OK && count == 2);
  CHECK(ald_layer_get_property_key_at(layer, 0, text, sizeof text, NULL, NULL) == ALD_STATUS_OK && is_text(text, "b"));
  CHECK(ald_layer_get_property(layer, "b", text, sizeof text, NULL, NULL) == ALD_STATUS_OK && is_text(text, "2"));
  CHECK_STATUS(ald_layer_get_property(layer, "b", text, 1, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_layer_get_property_key_at(layer, 0, text, 1, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_layer_get_property_key_at(layer, 2, text, sizeof text, NULL, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_layer_get_property(layer, "c", text, sizeof text, NULL, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_layer_set_property(layer, "", "", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_set_property(layer, NULL, "", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_layer_set_property(layer, "b", NULL, &error), &error);
  CHECK_OK(ald_layer_set_property(layer, "b", NULL, &error), &error);
  CHECK_STATUS(ald_layer_get_property(layer, "b", text, sizeof text, NULL, &error), ALD_STATUS_NOT_FOUND);
  const ald_layer crowded = new_group();
  char key[8];
  for (int i = 0; i < 10000; i++) {
    snprintf(key, sizeof key, "%d", i);
    if (ald_layer_set_property(crowded, key, "", &error) != ALD_STATUS_OK)
      CHECK(!"a property could not be set");
  }
  CHECK_STATUS(ald_layer_set_property(crowded, "more", "", &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_layer_set_property(crowded, "7", "8", &error), &error);
  ald_layer_release(crowded);
}

static void test_extents(void) {
  ald_raster_info raster = ALD_RASTER_INFO_INIT;
  ald_projected_envelope expected = ALD_PROJECTED_ENVELOPE_INIT;
  ald_spatial_reference own, far_side;
  ald_envelope box, all;
  const ald_layer group = new_group(), inner = new_group(), member = new_layer();
  CHECK_OK(ald_raster_get_info(stage.raster, &raster, &error), &error);
  CHECK_OK(ald_raster_get_spatial_reference(stage.raster, &own, &error), &error);
  CHECK_OK(ald_layer_get_full_extent(stage.layer, (ald_spatial_reference){0}, &box, &error), &error);
  CHECK(memcmp(&box, &raster.extent, sizeof box) == 0);
  CHECK_OK(ald_spatial_reference_project_envelope(own, stage.spatial_reference, NULL, raster.extent, &expected, &error),
           &error);
  CHECK_OK(ald_layer_get_full_extent(stage.layer, stage.spatial_reference, &box, &error), &error);
  CHECK(memcmp(&box, &expected.envelope, sizeof box) == 0);
  CHECK_STATUS(ald_layer_get_full_extent(group, stage.spatial_reference, &all, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_layer_get_full_extent(group, (ald_spatial_reference){0}, &all, &error), ALD_STATUS_NOT_READY);
  CHECK_OK(ald_group_layer_add_layer(group, inner, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(inner, member, &error), &error);
  CHECK_OK(ald_layer_get_full_extent(group, stage.spatial_reference, &all, &error), &error);
  CHECK(memcmp(&box, &all, sizeof box) == 0);
  CHECK_OK(
      ald_spatial_reference_create(stage.runtime, "+proj=ortho +lat_0=-40 +lon_0=58 +ellps=WGS84", &far_side, &error),
      &error);
  CHECK_STATUS(ald_layer_get_full_extent(stage.layer, far_side, &all, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_layer_get_full_extent(stage.layer, own, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_spatial_reference_release(far_side);
  ald_layer_release(group);
  ald_layer_release(inner);
  ald_layer_release(member);
}

int main(int argc, char **argv) {
  if (argc < 2 || !make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
    return finish();
  const uint64_t before = live_handles(stage.runtime);
  test_maps_lists();
  test_groups();
  CHECK(live_handles(stage.runtime) == before);
  test_rings_and_depth();
  test_what_is_inherited();
  test_texts();
  test_extents();
  release_scene(&stage);
  return finish();
}
