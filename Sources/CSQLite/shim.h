/* SQLite, for AlidadeData only: databases are looked at before GDAL sees them, and watched while it reads them. Macros
   and varargs that Swift cannot see are wrapped here. */
#ifndef ALIDADE_CSQLITE_SHIM_H
#define ALIDADE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Sets a switch of a connection. sqlite3_db_config takes varargs. */
static inline int alidade_sqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/* Adds an entry point to those that SQLite calls for each new connection; its own type hides the arguments. */
static inline int alidade_sqlite_auto_extension(int (*entry)(sqlite3 *, char **, const struct sqlite3_api_routines *)) {
  return sqlite3_auto_extension((void (*)(void))entry);
}

#endif
