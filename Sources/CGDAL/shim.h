/* GDAL's C interface, for AlidadeData only. Macros and varargs that Swift cannot see are wrapped here. */
#ifndef ALIDADE_CGDAL_SHIM_H
#define ALIDADE_CGDAL_SHIM_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#endif
