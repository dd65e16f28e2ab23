/* What Linux has and Swift's Glibc module leaves out. */
#ifndef ALIDADE_CLINUX_SHIM_H
#define ALIDADE_CLINUX_SHIM_H

#include <sys/eventfd.h>

#endif
