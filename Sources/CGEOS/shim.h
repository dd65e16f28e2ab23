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
static int (*alidade_geos_is_late)(void);
static GEOSInterruptCallback *alidade_geos_before;

static void alidade_geos_look(void) {
  if (alidade_geos_before != NULL)
    alidade_geos_before();
  if (alidade_geos_is_late())
    alidade_geos_throw();
}

/* Has GEOS ask, on the thread that is at work, whether an operation shall end. To be called once, from one file. */
static inline void alidade_geos_watch(int (*is_late)(void)) {
  if (alidade_geos_throw == NULL)
    return;
  alidade_geos_is_late = is_late;
  alidade_geos_before = GEOS_interruptRegisterCallback(alidade_geos_look);
}

#endif
