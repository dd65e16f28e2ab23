/* GEOS's C interface, for AlidadeGeometry only. Only the re-entrant functions (..._r) are used. */
#ifndef ALIDADE_CGEOS_SHIM_H
#define ALIDADE_CGEOS_SHIM_H

#define GEOS_USE_ONLY_R_API
#include <geos_c.h>

#endif
