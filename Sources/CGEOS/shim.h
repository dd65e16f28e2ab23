/* GEOS's C interface, for AlidadeGeometry only. Only the re-entrant functions (..._r) are used. */
#ifndef ALIDADE_CGEOS_SHIM_H
#define ALIDADE_CGEOS_SHIM_H

#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
#include <stddef.h>

/*
 * How an operation of GEOS ends early: GEOS calls one function of the process now and then, which may throw what GEOS
 * throws itself, on the thread that is to end. (GEOS_interruptRequest would end whichever thread looks next.) It is C++
 * that throws; a GEOS without the name is not interrupted.
 */
extern void alidade_geos_throw(void) __asm__("_ZN4geos4util9Interrupt9interruptEv") __attribute__((weak));

/* Ends the operation of GEOS that this thread is at, if there is a way. Only from the function that GEOS calls. */
static inline void alidade_geos_end(void) {
  if (alidade_geos_throw != NULL)
    alidade_geos_throw();
}

#endif
