#!/usr/bin/env python3
"""Writes geodesics.txt into its own folder: geodesics computed with 40 digits by quadrature of
the integrals of the great ellipse on the auxiliary sphere (Karney 2013, equations 7 and 8), and not by series.

Needs mpmath. Run without arguments from anywhere.
"""

from __future__ import annotations

from pathlib import Path

from mpmath import atan2, cos, findroot, hypot, mp, mpf, pi, quad, radians, sin, sqrt

mp.dps = 40
OUTPUT = Path(__file__).resolve().parent / "geodesics.txt"
ELLIPSOIDS = [("6378137", "298.257223563"), ("6378137", "60"), ("6378137", "-60"), ("3396190", "169.894447223612")]
LATITUDES = ["0", "1e-9", "-0.5", "12.3", "45", "-60.7", "89.9", "89.9999", "-89.99999999", "90", "-90"]
RADII = ["1e-6", "1", "1000", "1e5", "3e6", "9.9e6", "1.3e7", "1.7e7", "1.9e7"]
COUNT = 24  # points of each circle
STEPS = [0, 1, 5, 9, 12, 16, 23]  # the points that are tested


def direct(a: mpf, f: mpf, latitude: mpf, azimuth: mpf, distance: mpf) -> tuple[mpf, mpf]:
    """Longitude and latitude in degrees of where a geodesic from longitude 0 ends."""
    b = a * (1 - f)
    if abs(latitude) == 90:  # a meridian: at the pole azimuths are those just next to it
        sign = 1 if latitude > 0 else -1
        # Along the meridian down from the pole, parametric latitude sign * (90 - sigma).
        def arc(end: mpf) -> mpf:
            return quad(lambda t: sqrt((a * cos(t)) ** 2 + (b * sin(t)) ** 2), [0, end])

        sigma = findroot(lambda end: arc(end) - distance, distance / a)
        longitude = 180 - azimuth if sign > 0 else azimuth
        return longitude, sign * atan2(b * cos(sigma), (1 - f) * (1 - f) * a * sin(sigma)) * 180 / pi
    beta = atan2((1 - f) * sin(radians(latitude)), cos(radians(latitude)))
    alpha = radians(azimuth)
    sin_alpha0 = sin(alpha) * cos(beta)
    cos_alpha0 = hypot(cos(alpha), sin(alpha) * sin(beta))
    sigma1 = atan2(sin(beta), cos(alpha) * cos(beta)) if beta != 0 or cos(alpha) != 0 else mpf(0)
    omega1 = atan2(sin_alpha0 * sin(sigma1), cos(sigma1))
    k2 = cos_alpha0**2 * (1 / (1 - f) ** 2 - 1)

    def pieces(end: mpf) -> list[mpf]:
        return [sigma1 + (end - sigma1) * i / 4 for i in range(5)]

    def excess(sigma2: mpf) -> mpf:
        return b * quad(lambda s: sqrt(1 + k2 * sin(s) ** 2), pieces(sigma2)) - distance

    sigma2 = findroot(excess, sigma1 + distance / b)
    sin_beta2 = cos_alpha0 * sin(sigma2)
    cos_beta2 = hypot(cos_alpha0 * cos(sigma2), sin_alpha0)
    latitude2 = atan2(sin_beta2, (1 - f) * cos_beta2) * 180 / pi
    turns = (sigma2 - sigma1) - (
        atan2(sin(sigma2), cos(sigma2)) - atan2(sin(sigma1), cos(sigma1))
    )  # of sigma, which omega follows
    omega2 = atan2(sin_alpha0 * sin(sigma2), cos(sigma2))
    omega12 = omega2 - omega1 + (turns if sin_alpha0 >= 0 else -turns)
    correction = f * sin_alpha0 * quad(
        lambda s: (2 - f) / (1 + (1 - f) * sqrt(1 + k2 * sin(s) ** 2)), pieces(sigma2)
    )
    longitude = (omega12 - correction) * 180 / pi
    return longitude - 360 * mp.nint(longitude / 360), latitude2


def main() -> None:
    lines = [
        "# Made by geodesics.py with 40 digits. Points of circles: semi-major axis, inverse flattening, the centre's",
        "# latitude (its longitude is 0), radius, azimuth; longitude and latitude of the point. Degrees and metres.",
    ]
    for a, inverse in ELLIPSOIDS:
        on_earth = inverse == "298.257223563"
        for latitude in LATITUDES:
            for radius in RADII:
                # Elsewhere than on the earth a few do.
                if not on_earth and (radius in {"1", "1e5", "1.9e7"} or latitude in {"1e-9", "89.9999"}):
                    continue
                if a == "3396190" and float(radius) > 1e7:
                    continue
                for step in STEPS if on_earth else STEPS[1::2]:
                    azimuth = mpf(360 * step) / COUNT
                    # The doubles that the code under test gets, not the decimals.
                    x, y = direct(mpf(a), 1 / mpf(float(inverse)), mpf(float(latitude)), azimuth, mpf(float(radius)))
                    lines.append(f"{a} {inverse} {latitude} {radius} {float(azimuth)!r} {float(x)!r} {float(y)!r}")
    OUTPUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
