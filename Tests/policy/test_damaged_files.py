"""Damaged files: nothing is printed, no process ends, and which formats are opened for strangers.

Files of each driver are damaged by numbers, so that each run damages them alike, and are read in processes of their own.
"""
import os

import alidade
import pytest

from children import run

# What these libraries print, nobody can turn off; see "What is not covered" in Policy.md.
PRINTING = {"JP2OpenJPEG", "GRIB"}
# These have ended processes, or held them: not one of them is allowed unless it is named.
NEVER_BY_DEFAULT = {"netCDF", "HDF4", "ILWIS"}
COMMON = {
    "AAIGrid", "BMP", "DTED", "EHdr", "ENVI", "GIF", "GTiff", "JPEG", "PNG", "SRTMHGT", "WEBP",
    "CSV", "ESRI Shapefile", "FlatGeobuf", "GeoJSON", "GeoJSONSeq", "GPX", "KML", "TopoJSON",
}  # fmt: skip


def damaged(jobs, seeds):
    """Cases of files that are damaged. The files of a folder are not damaged."""
    return [{**job, "seed": seed} for job in jobs if os.path.isfile(job["path"]) for seed in seeds]


def trouble(cases, seen):
    print(f"\ntries: {len(cases)}")
    return "\n".join(f"{case['drivers']} {case['path']} {case['seed']}: {one.end} {one.printed[:300]}"
                     for case, one in zip(cases, run(cases)) if seen(one))


def is_any(job, drivers):
    return bool(drivers & set(job["drivers"]))


def test_nothing_is_printed_and_no_process_ends(driver_files):
    cases = damaged([job for job in driver_files if not is_any(job, PRINTING | NEVER_BY_DEFAULT)], range(20))
    assert len(cases) > 2000
    assert trouble(cases, lambda one: one.printed or one.end) == ""


@pytest.mark.parametrize("driver", ["netCDF", "HDF5", "HDF5Image", "BAG"])
def test_hdf5_prints_nothing(driver_files, driver):
    """HDF5 prints its errors, with a stack each: when a file is opened, and when cells are read."""
    jobs = [{**job, "drivers": [driver]} for job in driver_files if is_any(job, {"netCDF", "BAG"})
            and b"\x89HDF" in open(job["path"], "rb").read(8)]
    assert jobs
    assert trouble(damaged(jobs, range(30, 90)), lambda one: one.printed) == ""


def test_terragen(driver_files):
    """A damaged Terragen file once seemed to end the process; none of 20,000 does, of which some are tried here."""
    jobs = [job for job in driver_files if job["drivers"] == ["Terragen"]]
    assert jobs
    assert trouble(damaged(jobs, range(300)), lambda one: one.printed or one.end) == ""


def test_common_formats(driver_files):
    """Under the policy for files of strangers, the common formats are opened, and no others."""
    jobs = [{**job, "drivers": [], "untrusted": True} for job in driver_files]
    drivers = [job["drivers"][0] if job["drivers"] else "" for job in driver_files]
    opened = {driver for driver, one in zip(drivers, run(jobs)) if one.said == ""} - {""}
    # LIBKML's files are KML too.
    assert opened - {"LIBKML"} == COMMON


def test_damaged_files_of_strangers(driver_files):
    jobs = [{**job, "drivers": [], "untrusted": True} for job in driver_files if is_any(job, COMMON)]
    cases = damaged(jobs, range(1000, 1020))
    assert len(cases) > 400
    assert trouble(cases, lambda one: one.printed or one.end) == ""


def test_limits_of_the_policy_for_strangers(tmp_path):
    """As ALD_POLICY_INIT_UNTRUSTED has them: 256 MiB, 16,777,216 points, 10 s; and what is named changes it."""
    policy = alidade.Policy.untrusted()
    assert (policy.max_request_bytes, policy.max_request_points, policy.max_request_ms) == (1 << 28, 1 << 24, 10_000)
    assert not (policy.allow_network or policy.allow_sql or policy.allow_sql_in_files or policy.vsi_prefixes)
    assert alidade.Policy.untrusted(max_request_ms=5).max_request_ms == 5
    path = tmp_path / "a.vrt"
    path.write_text("<VRTDataset rasterXSize='2' rasterYSize='2'><VRTRasterBand dataType='Byte' band='1'/></VRTDataset>")
    with alidade.Runtime(policy=policy) as runtime:
        with pytest.raises(alidade.errors.PolicyRefusedError, match="driver VRT"):
            alidade.Raster(runtime, path)
    with alidade.Runtime(policy=alidade.Policy.untrusted(drivers=["VRT"], add_drivers=True)) as runtime:
        alidade.Raster(runtime, path).release()
