"""Geometries, arrays of them, measures, buffers and engine frames."""
