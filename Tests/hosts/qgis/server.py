#!/usr/bin/python3
"""QGIS Server in this process: reads a JSON object {"layers": {name: path}, "code": n, "queries": [text]} and writes
responses.

The layers are in the order of drawing, the topmost first. The queries are GetFeatureInfo requests without MAP.
"""
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
from qgis.core import (Qgis, QgsApplication, QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer,  # noqa: E402
                       QgsVectorLayer)
from qgis.server import QgsBufferServerRequest, QgsBufferServerResponse, QgsServer  # noqa: E402


def main():
    given = json.load(sys.stdin)
    application = QgsApplication([], False)
    application.initQgis()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "project.qgs"
        project = QgsProject.instance()
        project.setCrs(QgsCoordinateReferenceSystem(f"EPSG:{given['code']}"))
        for name, source in given["layers"].items():
            layer = QgsRasterLayer(source, name) if source.endswith(".tif") else QgsVectorLayer(source, name, "ogr")
            if not layer.isValid():
                raise RuntimeError(f"QGIS cannot open {source}")
            project.addMapLayer(layer)
        project.write(str(path))
        server = QgsServer()
        answers = []
        for query in given["queries"]:
            response = QgsBufferServerResponse()
            server.handleRequest(QgsBufferServerRequest(f"http://localhost/?MAP={path}&{query}"), response)
            if response.statusCode() != 200:
                raise RuntimeError(bytes(response.body()).decode())
            answers.append(json.loads(bytes(response.body())))
        del server
    application.exitQgis()
    json.dump({"version": Qgis.QGIS_VERSION, "answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()
