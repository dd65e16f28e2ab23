"""Spatial references, transformations, projecting and units."""
