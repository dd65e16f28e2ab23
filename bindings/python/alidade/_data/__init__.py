"""Rasters and features of files and services."""
