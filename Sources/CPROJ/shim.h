/* PROJ's C interface, for AlidadeCoordinates only. */
#ifndef ALIDADE_CPROJ_SHIM_H
#define ALIDADE_CPROJ_SHIM_H

#include <geodesic.h>
#include <proj.h>
#include <proj_experimental.h>

#endif
