#!/usr/bin/python3
"""Makes turbines.csv and premises.csv: wind turbines and premises that do not exist, the same each time.

The turbines stand on two ridges, in metres of ETRS89 / UTM zone 32N. The premises lie in villages and alone, in
longitudes and latitudes.
"""
import csv
import random
from pathlib import Path

# Easting and northing of the first turbine, the step to the next, how many.
RIDGES = ((531_200, 5_702_400, 520, 310, 7), (541_900, 5_695_100, -240, 560, 6))
# Longitude, latitude, how many premises, how far they spread in degrees.
VILLAGES = (("Ahorn", 9.476, 51.497, 45, 0.006), ("Birkenau", 9.533, 51.445, 60, 0.008),
            ("Eschbach", 9.620, 51.428, 40, 0.006), ("Lindental", 9.430, 51.432, 50, 0.007))
FARMS = 60


def main():
    chance = random.Random(20261124)
    folder = Path(__file__).parent
    turbines = []
    for x, y, east, north, count in RIDGES:
        for number in range(count):
            turbines.append((f"T{len(turbines) + 1:02}", round(x + east * number + chance.uniform(-60, 60), 1),
                             round(y + north * number + chance.uniform(-60, 60), 1)))
    premises = []
    for village, longitude, latitude, count, spread in VILLAGES:
        for number in range(count):
            premises.append((f"{village} {number + 1}", f"{chance.gauss(longitude, spread * 1.6):.6f}",
                             f"{chance.gauss(latitude, spread):.6f}"))
    for number in range(FARMS):
        premises.append((f"Farm {number + 1}", f"{chance.uniform(9.38, 9.68):.6f}",
                         f"{chance.uniform(51.38, 51.52):.6f}"))
    for name, head, rows in (("turbines.csv", ("name", "x", "y"), turbines),
                             ("premises.csv", ("name", "longitude", "latitude"), premises)):
        with open(folder / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
