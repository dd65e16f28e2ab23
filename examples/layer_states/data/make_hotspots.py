#!/usr/bin/python3
"""Writes hotspots.csv: 600 invented fires in the columns of NASA's FIRMS active fire files.

They lie in clusters over the western United States, as in a dry summer. A fixed seed gives the same file each time.
"""
import csv
import random
from pathlib import Path

COLUMNS = ("latitude", "longitude", "brightness", "scan", "track", "acq_date", "acq_time", "satellite", "instrument",
           "confidence", "version", "bright_t31", "frp", "daynight")
# Longitude, latitude, how many hotspots, how far they spread in degrees.
FIRES = ((-122.2, 40.9, 110, 0.25), (-120.4, 44.3, 90, 0.3), (-116.8, 41.6, 80, 0.4), (-114.9, 45.4, 120, 0.35),
         (-119.6, 37.4, 90, 0.2), (-111.3, 34.2, 60, 0.25), (-118.5, 47.9, 50, 0.3))


def main():
    chance = random.Random(20260801)
    rows = []
    for longitude, latitude, count, spread in FIRES:
        for _ in range(count):
            power = chance.expovariate(1 / 40)
            is_day = chance.random() < 0.7
            rows.append((
                f"{chance.gauss(latitude, spread):.4f}", f"{chance.gauss(longitude, spread * 1.3):.4f}",
                f"{310 + min(power, 180) / 2 + chance.gauss(0, 4):.1f}", "1.0", "1.0",
                f"2026-08-{chance.randint(1, 7):02}", f"{chance.choice((610, 930)) + chance.randint(0, 9):04}" if not is_day
                else f"{chance.randint(1930, 1959)}", chance.choice(("Aqua", "Terra")), "MODIS",
                min(100, max(0, round(chance.gauss(70, 20)))), "made up", f"{chance.gauss(296, 5):.1f}",
                f"{power:.1f}", "D" if is_day else "N"))
    rows.sort(key=lambda row: (row[5], row[6]))
    with open(Path(__file__).parent / "hotspots.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
