/**
 * @file
 * Units: named units of length, angle and area with exact factors, and conversions between them.
 *
 * Nothing in this header needs a runtime. Conversions to and from the unit of a spatial reference are in
 * alidade/spatial_reference.h.
 *
 * @code{.c}
 * double metres = 0;
 * ald_unit_info info = ALD_UNIT_INFO_INIT;
 * ald_status status = ald_unit_get_info(ALD_UNIT_US_SURVEY_FOOT, &info, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_unit_convert(100, ALD_UNIT_US_SURVEY_FOOT, ALD_UNIT_METRE, &metres, error);
 * printf("100 %s = %.6f m\n", info.abbreviation, metres);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_UNITS_H
#define ALIDADE_UNITS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The quantity that a unit measures. */
typedef int32_t ald_unit_kind;
enum ald_unit_kind_values {
  /** A length. Its SI unit is the metre. */
  ALD_UNIT_KIND_LENGTH = 1,
  /** An angle. Its SI unit is the radian. */
  ALD_UNIT_KIND_ANGLE = 2,
  /** An area. Its SI unit is the square metre. */
  ALD_UNIT_KIND_AREA = 3
};

/**
 * A named unit. Lengths have numbers from 1, angles from 201 and areas from 301.
 *
 * FOOT, STATUTE_MILE and ACRE are the international units. The US survey units of length are longer by 2 parts in a
 * million.
 */
typedef int32_t ald_unit;
enum ald_unit_values {
  /** No named unit. ald_spatial_reference_info.unit has this value if the unit is not in this list. */
  ALD_UNIT_NONE = 0,
  ALD_UNIT_METRE = 1,
  ALD_UNIT_KILOMETRE = 2,
  ALD_UNIT_DECIMETRE = 3,
  ALD_UNIT_CENTIMETRE = 4,
  ALD_UNIT_MILLIMETRE = 5,
  ALD_UNIT_FOOT = 6,
  ALD_UNIT_US_SURVEY_FOOT = 7,
  ALD_UNIT_INCH = 8,
  ALD_UNIT_US_SURVEY_INCH = 9,
  ALD_UNIT_YARD = 10,
  ALD_UNIT_US_SURVEY_YARD = 11,
  ALD_UNIT_STATUTE_MILE = 12,
  ALD_UNIT_US_SURVEY_MILE = 13,
  ALD_UNIT_NAUTICAL_MILE = 14,
  ALD_UNIT_FATHOM = 15,
  ALD_UNIT_CHAIN = 16,
  ALD_UNIT_LINK = 17,
  ALD_UNIT_ROD = 18,
  ALD_UNIT_FURLONG = 19,
  ALD_UNIT_US_SURVEY_CHAIN = 20,
  ALD_UNIT_US_SURVEY_LINK = 21,
  ALD_UNIT_US_SURVEY_ROD = 22,
  ALD_UNIT_GERMAN_LEGAL_METRE = 23,
  ALD_UNIT_CLARKES_FOOT = 24,
  ALD_UNIT_CLARKES_YARD = 25,
  ALD_UNIT_CLARKES_CHAIN = 26,
  ALD_UNIT_CLARKES_LINK = 27,
  ALD_UNIT_GOLD_COAST_FOOT = 28,
  ALD_UNIT_BRITISH_YARD_SEARS = 29,
  ALD_UNIT_BRITISH_FOOT_SEARS = 30,
  ALD_UNIT_BRITISH_CHAIN_SEARS = 31,
  ALD_UNIT_BRITISH_LINK_SEARS = 32,
  ALD_UNIT_BRITISH_YARD_SEARS_TRUNCATED = 33,
  ALD_UNIT_BRITISH_FOOT_SEARS_TRUNCATED = 34,
  ALD_UNIT_BRITISH_CHAIN_SEARS_TRUNCATED = 35,
  ALD_UNIT_BRITISH_LINK_SEARS_TRUNCATED = 36,
  ALD_UNIT_BRITISH_YARD_BENOIT_A = 37,
  ALD_UNIT_BRITISH_FOOT_BENOIT_A = 38,
  ALD_UNIT_BRITISH_CHAIN_BENOIT_A = 39,
  ALD_UNIT_BRITISH_LINK_BENOIT_A = 40,
  ALD_UNIT_BRITISH_YARD_BENOIT_B = 41,
  ALD_UNIT_BRITISH_FOOT_BENOIT_B = 42,
  ALD_UNIT_BRITISH_CHAIN_BENOIT_B = 43,
  ALD_UNIT_BRITISH_LINK_BENOIT_B = 44,
  ALD_UNIT_BRITISH_FOOT_1865 = 45,
  ALD_UNIT_BRITISH_FOOT_1936 = 46,
  ALD_UNIT_INDIAN_FOOT = 47,
  ALD_UNIT_INDIAN_FOOT_1937 = 48,
  ALD_UNIT_INDIAN_FOOT_1962 = 49,
  ALD_UNIT_INDIAN_FOOT_1975 = 50,
  ALD_UNIT_INDIAN_YARD = 51,
  ALD_UNIT_INDIAN_YARD_1937 = 52,
  ALD_UNIT_INDIAN_YARD_1962 = 53,
  ALD_UNIT_INDIAN_YARD_1975 = 54,
  ALD_UNIT_INDIAN_CHAIN = 55,
  ALD_UNIT_RADIAN = 201,
  ALD_UNIT_DEGREE = 202,
  ALD_UNIT_ARC_MINUTE = 203,
  ALD_UNIT_ARC_SECOND = 204,
  ALD_UNIT_MILLIARC_SECOND = 205,
  ALD_UNIT_GRAD = 206,
  ALD_UNIT_CENTESIMAL_MINUTE = 207,
  ALD_UNIT_CENTESIMAL_SECOND = 208,
  ALD_UNIT_MIL_6400 = 209,
  ALD_UNIT_MILLIRADIAN = 210,
  ALD_UNIT_MICRORADIAN = 211,
  ALD_UNIT_TURN = 212,
  ALD_UNIT_SQUARE_METRE = 301,
  ALD_UNIT_SQUARE_KILOMETRE = 302,
  ALD_UNIT_SQUARE_CENTIMETRE = 303,
  ALD_UNIT_SQUARE_MILLIMETRE = 304,
  ALD_UNIT_ARE = 305,
  ALD_UNIT_HECTARE = 306,
  ALD_UNIT_ACRE = 307,
  ALD_UNIT_US_SURVEY_ACRE = 308,
  ALD_UNIT_SQUARE_FOOT = 309,
  ALD_UNIT_US_SURVEY_SQUARE_FOOT = 310,
  ALD_UNIT_SQUARE_INCH = 311,
  ALD_UNIT_SQUARE_YARD = 312,
  ALD_UNIT_SQUARE_ROD = 313,
  ALD_UNIT_SQUARE_MILE = 314,
  ALD_UNIT_US_SURVEY_SQUARE_MILE = 315,
  ALD_UNIT_SQUARE_NAUTICAL_MILE = 316,
  ALD_UNIT_SQUARE_BRITISH_FOOT_SEARS = 317,
  ALD_UNIT_SQUARE_INDIAN_YARD = 318
};

/** The facts about a unit. The strings are static. */
typedef struct ald_unit_info {
  uint32_t struct_size;
  ald_unit unit;
  ald_unit_kind kind;
  /** 1 if the factor is numerator / denominator times pi. Otherwise 0. */
  uint32_t has_pi;
  /** One unit is exactly numerator / denominator metres, radians or square metres; times pi if has_pi is 1. */
  uint64_t numerator;
  uint64_t denominator;
  /** The same factor as the nearest double. */
  double si_factor;
  /** The EPSG code of the unit; 0 if it has none. */
  int32_t epsg_code;
  uint32_t reserved;
  /** The name, such as "US survey foot". It is EPSG's name if EPSG has the unit. */
  const char *name;
  /** A short name that no other unit has. It is PROJ's short name, such as "us-ft", if PROJ has one. */
  const char *abbreviation;
} ald_unit_info;

/** Initialises an ald_unit_info. */
#define ALD_UNIT_INFO_INIT                                                                                             \
  { (uint32_t)sizeof(ald_unit_info), 0, 0, 0, 0, 0, 0.0, 0, 0, NULL, NULL }

/**
 * Gets the number of units, not counting ALD_UNIT_NONE.
 *
 * @return The number of units.
 */
ALD_API uint32_t ald_unit_get_count(void);

/**
 * Gets a unit by its index. The units are in the order of their numbers.
 *
 * @param index From 0 to ald_unit_get_count() - 1.
 * @param out_unit Receives the unit.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_unit is NULL.
 *   - ALD_STATUS_NOT_FOUND if index is too large.
 */
ALD_API ald_status ald_unit_get_at(uint32_t index, ald_unit *out_unit, ald_error *error);

/**
 * Gets the facts about a unit.
 *
 * @param unit The unit.
 * @param out_info Initialise it with ALD_UNIT_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if unit is not valid, or out_info is NULL or its struct_size is not valid.
 */
ALD_API ald_status ald_unit_get_info(ald_unit unit, ald_unit_info *out_info, ald_error *error);

/**
 * Finds a unit by its name or abbreviation.
 *
 * Names match regardless of case, of singular or plural, and of the spelling metre or meter. An abbreviation must match
 * exactly.
 *
 * @param name A name or abbreviation, such as "US survey feet", "kilometer" or "ha".
 * @param out_unit Receives the unit.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8, or out_unit is NULL.
 *   - ALD_STATUS_NOT_FOUND if no unit has this name.
 */
ALD_API ald_status ald_unit_find_by_name(const char *name, ald_unit *out_unit, ald_error *error);

/**
 * Finds a unit by its EPSG code.
 *
 * The deprecated code 9106 of the gon finds the grad. The code 9122, a degree whose representation the supplier
 * defines, finds the degree.
 *
 * @param code The code, such as 9003.
 * @param out_unit Receives the unit.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_unit is NULL.
 *   - ALD_STATUS_NOT_FOUND if no unit in this list has the code.
 */
ALD_API ald_status ald_unit_find_by_code(int32_t code, ald_unit *out_unit, ald_error *error);

/**
 * Converts a value from one unit into another.
 *
 * The result is rounded once, from the exact quotient of the two factors, to the double nearest to the true value. If
 * only one of the two factors contains pi, pi is used with 128 bits.
 *
 * @param value The value; finite.
 * @param from_unit The unit of the value.
 * @param to_unit The unit of the result, of the same kind.
 * @param out_value Receives the result.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the value or the result is not finite, a unit is not valid, the units are of
 *     different kinds, or out_value is NULL.
 */
ALD_API ald_status ald_unit_convert(double value, ald_unit from_unit, ald_unit to_unit, double *out_value,
                                    ald_error *error);

#ifdef __cplusplus
}
#endif

#endif
