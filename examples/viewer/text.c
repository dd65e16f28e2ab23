/*
 * Texts: an alphabet of strokes, made for this program. A glyph is a list of lines, apart by semicolons; a line is a
 * list of points, two digits each: x from 0 to 4, y from 0, the height of capitals, over 6, the base line, to 8.
 */
#include "canvas.h"

#define UNIT_DIP 1.45
#define ADVANCE_DIP (5.2 * UNIT_DIP)
#define STROKE_DIP 1.25
#define FIRST_GLYPH 0x20
#define LAST_GLYPH 0x7e

static const char *const glyphs[LAST_GLYPH - FIRST_GLYPH + 1] = {
    [0] = "",
    ['!' - FIRST_GLYPH] = "20 24;26",
    ['"' - FIRST_GLYPH] = "10 12;30 32",
    ['#' - FIRST_GLYPH] = "10 16;30 36;02 42;04 44",
    ['$' - FIRST_GLYPH] = "41 11 02 13 33 44 35 05;20 26",
    ['%' - FIRST_GLYPH] = "06 40;00 10 11 01 00;35 45 46 36 35",
    ['&' - FIRST_GLYPH] = "46 12 11 20 31 32 04 05 16 26 44",
    ['\'' - FIRST_GLYPH] = "20 22",
    ['(' - FIRST_GLYPH] = "30 21 12 14 25 36",
    [')' - FIRST_GLYPH] = "10 21 32 34 25 16",
    ['*' - FIRST_GLYPH] = "21 25;12 34;14 32",
    ['+' - FIRST_GLYPH] = "21 25;03 43",
    [',' - FIRST_GLYPH] = "25 26 17",
    ['-' - FIRST_GLYPH] = "03 43",
    ['.' - FIRST_GLYPH] = "26",
    ['/' - FIRST_GLYPH] = "06 40",
    ['0' - FIRST_GLYPH] = "10 30 41 45 36 16 05 01 10",
    ['1' - FIRST_GLYPH] = "11 20 26;16 36",
    ['2' - FIRST_GLYPH] = "01 10 30 41 42 06 46",
    ['3' - FIRST_GLYPH] = "01 10 30 41 42 33 13;33 44 45 36 16 05",
    ['4' - FIRST_GLYPH] = "36 30 04 44",
    ['5' - FIRST_GLYPH] = "40 00 02 32 43 45 36 16 05",
    ['6' - FIRST_GLYPH] = "41 30 10 01 05 16 36 45 44 33 13 04",
    ['7' - FIRST_GLYPH] = "00 40 16",
    ['8' - FIRST_GLYPH] = "10 30 41 42 33 13 02 01 10;13 04 05 16 36 45 44 33",
    ['9' - FIRST_GLYPH] = "05 16 36 45 41 30 10 01 02 13 33 42",
    [':' - FIRST_GLYPH] = "22;26",
    [';' - FIRST_GLYPH] = "22;25 26 17",
    ['<' - FIRST_GLYPH] = "41 03 45",
    ['=' - FIRST_GLYPH] = "02 42;04 44",
    ['>' - FIRST_GLYPH] = "01 43 05",
    ['?' - FIRST_GLYPH] = "01 10 30 41 42 24;26",
    ['@' - FIRST_GLYPH] = "34 32 12 14 34 44 41 30 10 01 05 16 36",
    ['A' - FIRST_GLYPH] = "06 20 46;14 34",
    ['B' - FIRST_GLYPH] = "00 30 41 42 33 03;33 44 45 36 06 00",
    ['C' - FIRST_GLYPH] = "41 30 10 01 05 16 36 45",
    ['D' - FIRST_GLYPH] = "00 20 31 42 44 35 26 06 00",
    ['E' - FIRST_GLYPH] = "40 00 06 46;03 33",
    ['F' - FIRST_GLYPH] = "40 00 06;03 33",
    ['G' - FIRST_GLYPH] = "41 30 10 01 05 16 36 45 43 23",
    ['H' - FIRST_GLYPH] = "00 06;40 46;03 43",
    ['I' - FIRST_GLYPH] = "10 30;20 26;16 36",
    ['J' - FIRST_GLYPH] = "40 45 36 16 05 04",
    ['K' - FIRST_GLYPH] = "00 06;40 03 46",
    ['L' - FIRST_GLYPH] = "00 06 46",
    ['M' - FIRST_GLYPH] = "06 00 23 40 46",
    ['N' - FIRST_GLYPH] = "06 00 46 40",
    ['O' - FIRST_GLYPH] = "10 30 41 45 36 16 05 01 10",
    ['P' - FIRST_GLYPH] = "06 00 30 41 42 33 03",
    ['Q' - FIRST_GLYPH] = "10 30 41 45 36 16 05 01 10;34 46",
    ['R' - FIRST_GLYPH] = "06 00 30 41 42 33 03;23 46",
    ['S' - FIRST_GLYPH] = "41 30 10 01 02 13 33 44 45 36 16 05",
    ['T' - FIRST_GLYPH] = "00 40;20 26",
    ['U' - FIRST_GLYPH] = "00 05 16 36 45 40",
    ['V' - FIRST_GLYPH] = "00 26 40",
    ['W' - FIRST_GLYPH] = "00 16 22 36 40",
    ['X' - FIRST_GLYPH] = "00 46;40 06",
    ['Y' - FIRST_GLYPH] = "00 23 40;23 26",
    ['Z' - FIRST_GLYPH] = "00 40 06 46",
    ['[' - FIRST_GLYPH] = "30 10 16 36",
    ['\\' - FIRST_GLYPH] = "00 46",
    [']' - FIRST_GLYPH] = "10 30 36 16",
    ['^' - FIRST_GLYPH] = "12 20 32",
    ['_' - FIRST_GLYPH] = "07 47",
    ['`' - FIRST_GLYPH] = "10 21",
    ['a' - FIRST_GLYPH] = "12 32 43 46;44 14 05 16 36 44",
    ['b' - FIRST_GLYPH] = "00 06;03 12 32 43 45 36 16 05",
    ['c' - FIRST_GLYPH] = "43 32 12 03 05 16 36 45",
    ['d' - FIRST_GLYPH] = "40 46;43 32 12 03 05 16 36 45",
    ['e' - FIRST_GLYPH] = "04 44 43 32 12 03 05 16 36 45",
    ['f' - FIRST_GLYPH] = "30 20 11 16;02 32",
    ['g' - FIRST_GLYPH] = "43 32 12 03 05 16 36 45;42 47 38 18 07",
    ['h' - FIRST_GLYPH] = "00 06;03 12 32 43 46",
    ['i' - FIRST_GLYPH] = "22 26;20",
    ['j' - FIRST_GLYPH] = "32 37 28 18;30",
    ['k' - FIRST_GLYPH] = "00 06;42 04 46",
    ['l' - FIRST_GLYPH] = "10 20 25 36",
    ['m' - FIRST_GLYPH] = "02 06;03 12 23 26;23 32 43 46",
    ['n' - FIRST_GLYPH] = "02 06;03 12 32 43 46",
    ['o' - FIRST_GLYPH] = "12 32 43 45 36 16 05 03 12",
    ['p' - FIRST_GLYPH] = "02 08;03 12 32 43 45 36 16 05",
    ['q' - FIRST_GLYPH] = "42 48;43 32 12 03 05 16 36 45",
    ['r' - FIRST_GLYPH] = "02 06;03 12 32",
    ['s' - FIRST_GLYPH] = "42 12 03 14 34 45 36 06",
    ['t' - FIRST_GLYPH] = "10 15 26 36;02 32",
    ['u' - FIRST_GLYPH] = "02 05 16 36 45;42 46",
    ['v' - FIRST_GLYPH] = "02 26 42",
    ['w' - FIRST_GLYPH] = "02 16 23 36 42",
    ['x' - FIRST_GLYPH] = "02 46;42 06",
    ['y' - FIRST_GLYPH] = "02 26;42 26 18",
    ['z' - FIRST_GLYPH] = "02 42 06 46",
    ['{' - FIRST_GLYPH] = "30 21 22 13 24 25 36",
    ['|' - FIRST_GLYPH] = "20 27",
    ['}' - FIRST_GLYPH] = "10 21 22 33 24 25 16",
    ['~' - FIRST_GLYPH] = "04 13 34 43",
};

static const char degree_glyph[] = "20 31 22 11 20";

/* The glyph of the character at `text`, of which `length` bytes are left, and how many bytes it takes. */
static const char *next_glyph(const char *text, size_t length, size_t *out_size) {
  const unsigned char byte = (unsigned char)text[0];
  *out_size = 1;
  if (byte >= FIRST_GLYPH && byte <= LAST_GLYPH)
    return glyphs[byte - FIRST_GLYPH];
  while (byte >= 0xc0 && *out_size < length && ((unsigned char)text[*out_size] & 0xc0) == 0x80)
    ++*out_size;
  if (byte == 0xc2 && *out_size == 2 && (unsigned char)text[1] == 0xb0)
    return degree_glyph;
  return glyphs['?' - FIRST_GLYPH];
}

double text_width(const char *text, size_t length) {
  double width = 0;
  for (size_t i = 0, size; i < length; i += size, width += ADVANCE_DIP)
    next_glyph(text + i, length - i, &size);
  return width;
}

void canvas_text(canvas *canvas, ald_point place, const char *text, size_t length, ald_rgba color) {
  double left = place.x + STROKE_DIP / 2;
  const double top = place.y + STROKE_DIP;
  for (size_t i = 0, size; i < length; i += size, left += ADVANCE_DIP) {
    const char *glyph = next_glyph(text + i, length - i, &size);
    while (*glyph != '\0') {
      double xy[32];
      size_t count = 0;
      for (; *glyph != '\0' && *glyph != ';'; glyph += glyph[2] == ' ' ? 3 : 2, count++) {
        xy[2 * count] = left + (glyph[0] - '0') * UNIT_DIP;
        xy[2 * count + 1] = top + (glyph[1] - '0') * UNIT_DIP;
      }
      canvas_add_line(canvas, xy, count, STROKE_DIP);
      glyph += *glyph == ';';
    }
  }
  canvas_fill(canvas, CANVAS_NON_ZERO, color);
}
