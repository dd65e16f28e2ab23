"""Maps, layers, views, identify, overlays, callouts and navigation."""
