/* Which local files GDAL may open during a call of this library. For AlidadeData only. */
#ifndef ALIDADE_CGDALFILES_H
#define ALIDADE_CGDALFILES_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a thread's call may open; lives on that thread's stack. */
typedef struct alidade_file_scope {
  /* Whether a file may be opened; its path has no links in it. NULL: any file may. */
  bool (*allows)(void *context, const char *path);
  void *context;
  /* The first name that was refused, to be released with free; NULL: none was. */
  char *refused;
  /* Where that name led to, if it was refused by allows; NULL otherwise. To be released with free. */
  char *outside;
  /* Whether that name was refused because the process has no file handle left. */
  bool lacksHandles;
} alidade_file_scope;

/*
 * Puts a rule in front of GDAL's local file system that does nothing on threads that are outside of a scope. Returns
 * whether the rule stands: false if GDAL is not the version that this was compiled for.
 */
bool alidade_files_install(void);

/* Whether what GDAL opens on this thread passes the rule: another user of GDAL may have replaced it. */
bool alidade_files_stand(void);

/* Begins a scope on this thread. Returns the one around it, for alidade_files_leave. */
alidade_file_scope *alidade_files_enter(alidade_file_scope *scope);

/* Ends this thread's scope. */
void alidade_files_leave(alidade_file_scope *outer);

/* The scope that this thread is in; NULL: none. */
alidade_file_scope *alidade_files_scope(void);

/* Opens a file to read it, unless it is a pipe, a socket or a device. NULL: it cannot be opened. */
FILE *alidade_files_open(const char *path);

#ifdef __cplusplus
}
#endif

#endif
