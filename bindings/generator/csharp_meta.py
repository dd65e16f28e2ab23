"""Writes the .meta files of the Unity package: the settings of each file and folder, under an identifier that never
changes.

Unity would make up identifiers of its own, on each machine others, and a package that Unity may not write to has none.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath

PACKAGE = "bindings/csharp"
# The name of the package: part of the identifiers.
NAME = "org.alidade.engine"
# What bindings/csharp/build-package adds, which is not in the repository.
LIBRARY = "Runtime/Plugins/x86_64/libalidade.so"
# Not part of the package.
LEFT_OUT = ("build-package",)

MONO = """\
MonoImporter:
  externalObjects: {}
  serializedVersion: 2
  defaultReferences: []
  executionOrder: 0
  icon: {instanceID: 0}
"""
PLUGIN = """\
PluginImporter:
  externalObjects: {}
  serializedVersion: 2
  iconMap: {}
  executionOrder: {}
  defineConstraints: []
  isPreloaded: 0
  isOverridable: 0
  isExplicitlyReferenced: 0
  validateReferences: 1
  platformData:
  - first:
      : Any
    second:
      enabled: 0
      settings: {}
  - first:
      Editor: Editor
    second:
      enabled: 1
      settings:
        CPU: x86_64
        OS: Linux
  - first:
      Standalone: Linux64
    second:
      enabled: 1
      settings:
        CPU: x86_64
"""
IMPORTERS = {
    ".cs": MONO,
    ".so": PLUGIN,
    ".asmdef": "AssemblyDefinitionImporter:\n  externalObjects: {}\n",
    ".json": "PackageManifestImporter:\n  externalObjects: {}\n",
    ".md": "TextScriptImporter:\n  externalObjects: {}\n",
    "": "DefaultImporter:\n  externalObjects: {}\n",
}


def files(repository: Path, generated: list[str]) -> dict[str, str]:
    """The text of each .meta file. `generated` are files that may not have been written yet."""
    folder = repository / PACKAGE
    assets = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assets |= {name.removeprefix(f"{PACKAGE}/") for name in generated if name.startswith(f"{PACKAGE}/")} | {LIBRARY}
    # Unity does not look into folders such as Samples~.
    assets = {name for name in assets if not name.endswith(".meta") and "~/" not in name and name not in LEFT_OUT}
    folders = {str(parent) for name in assets for parent in PurePosixPath(name).parents if str(parent) != "."}
    return {f"{PACKAGE}/{name}.meta": _meta(name, name in folders) for name in sorted(assets | folders)}


def _meta(name: str, is_folder: bool) -> str:
    guid = hashlib.md5(f"{NAME}/{name}".encode(), usedforsecurity=False).hexdigest()
    importer = IMPORTERS["" if is_folder else PurePosixPath(name).suffix]
    return (
        f"fileFormatVersion: 2\nguid: {guid}\n{'folderAsset: yes' + chr(10) if is_folder else ''}{importer}"
        "  userData:\n  assetBundleName:\n  assetBundleVariant:\n"
    )
