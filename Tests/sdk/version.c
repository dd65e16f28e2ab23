/* Prints the version of the loaded library; fails if it is not the one of the headers. Compiles as C and as C++. */
#include <alidade.h>

#include <stdio.h>

int main(void) {
  const uint32_t headers = ALD_VERSION_MAJOR << 16 | ALD_VERSION_MINOR << 8 | ALD_VERSION_PATCH;
  printf("%s\n", ald_get_version_text());
  return ald_get_version() == headers ? 0 : 1;
}
