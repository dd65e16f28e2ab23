"""How a cell reads as text, written a second time with decimal.Decimal from the rules in Include/alidade/identify.h."""
import math
from decimal import ROUND_HALF_EVEN, ROUND_UP, Context, Decimal

import numpy

from truth import MASKED, NODATA, TRANSPARENT, VALUE

NO_VALUE = {NODATA: "NoData", MASKED: "Masked", TRANSPARENT: "Transparent"}
FIFTEEN_DIGITS = Context(prec=15, rounding=ROUND_HALF_EVEN)


def shortest(number):
    """The shortest decimal that reads back as the same number: numpy's float32 as a float32, others as a double."""
    # repr's digits are the shortest for both; numpy and Python only differ in when they write an exponent.
    return Decimal(repr(float(number)) if not isinstance(number, numpy.float32) else str(number))


def plain(decimal):
    """Digits without an exponent and without zeros at the end; with an exponent where that would be mostly zeros."""
    if decimal == 0:
        return "0"
    decimal = decimal.normalize(Context(prec=60))
    if Decimal("0.0001") <= abs(decimal) < Decimal("1e16"):
        return f"{decimal:f}"
    sign, digits, exponent = decimal.as_tuple()
    power = exponent + len(digits) - 1
    head, tail = digits[0], "".join(map(str, digits[1:]))
    return f"{'-' if sign else ''}{head}{'.' + tail if tail else ''}e{power:+03d}"


def number_text(number):
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return str(float(number))
    return plain(shortest(number))


def computed_text(number):
    """A scaled value: at most 15 significant digits, so that 8123 * 0.0001 reads 0.8123."""
    return plain(FIFTEEN_DIGITS.plus(shortest(number))) if math.isfinite(number) else str(number)


def rounded_away(number):
    """Away from zero to 0.001, from the shortest decimal: 0.001 stays 0.001, 0.0011 becomes 0.002."""
    rounded = shortest(number).quantize(Decimal("0.001"), rounding=ROUND_UP, context=Context(prec=60))
    return f"{rounded.normalize(Context(prec=60)):f}" if rounded else "0"


def complex_text(real, imaginary, text):
    sign = "-" if math.copysign(1, imaginary) < 0 else "+"
    return f"{text(real)}{sign}{text(abs(imaginary))}i"


def value_text(band, value):
    """A band's value as a person would read it."""
    if value.verdict != VALUE:
        return NO_VALUE[value.verdict]
    text = computed_text if band.has_scale else number_text
    if isinstance(value.scaled, complex):
        number = value.scaled if band.has_scale else value.raw
        parts = (number.real, number.imag)
        if value.type == 11 or value.type == 12:  # complex integers
            parts = tuple(int(part) if not band.has_scale else part for part in parts)
        result = complex_text(*parts, text)
    elif band.has_scale:
        result = text(value.scaled)
    else:
        result = text(value.raw if isinstance(value.raw, numpy.float32) else value.raw.item())
    return f"{result} {band.unit}" if band.unit else result


def attributes(truth, values):
    """(name, text) of a cell's attributes: bands in their order, each followed by its category and table columns."""
    result = []
    for number, (band, value) in enumerate(zip(truth.bands, values), start=1):
        name = band.description or f"Band {number}"
        result.append((name, value_text(band, value)))
        if value.verdict != VALUE:
            continue
        if value.category >= 0:
            result.append((f"{name} category", band.category_names[value.category]))
        if value.table_row >= 0:
            for column, (title, _, _) in enumerate(band.table_columns()):
                result.append((title, table_text(band.table_value(value.table_row, column))))
    return result


def table_text(content):
    return content if isinstance(content, str) else number_text(content)


def element_text(named_texts, x_min, y_min):
    """The whole element: attributes, an empty line, the minimum corner."""
    lines = [f"{name}: {text}" for name, text in named_texts]
    return "\n".join([*lines, "", f"X: {rounded_away(x_min)}", f"Y: {rounded_away(y_min)}"])
