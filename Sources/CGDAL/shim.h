/* GDAL's C interface, for AlidadeData only. Macros and varargs that Swift cannot see are wrapped here. */
#ifndef ALIDADE_CGDAL_SHIM_H
#define ALIDADE_CGDAL_SHIM_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_http.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <sys/stat.h>

/* Describes a regular file. VSIStatBufL is stat64, which Swift does not see; where addresses have 64 bits, stat is the
 * same. */
_Static_assert(sizeof(void *) == 8, "stat has the layout of stat64");
static inline void alidade_vsi_set_file(void *status, unsigned long long size) {
  struct stat file = {0};
  file.st_mode = S_IFREG;
  file.st_size = (off_t)size;
  *(struct stat *)status = file;
}

/* CPLError takes a format and its arguments. */
static inline void alidade_cpl_failure(int number, const char *text) {
  CPLError(CE_Failure, number, "%s", text);
}

#endif
