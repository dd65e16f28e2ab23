"""Arrow: geometries and features as Arrow arrays, in and out, through the PyCapsule interface.

Libraries that read Arrow take the objects as they are: `geopandas.GeoDataFrame.from_arrow(features)`,
`pyarrow.table(features)`, `polars.DataFrame(features)`, and DuckDB in its statements. None of them is needed here.
"""

from __future__ import annotations

import ctypes
from typing import Any, Iterator

from .._abi import ArrowEncoding
from .._base.errors import check
from .._base.handle import Handle
from .._library import library

# The sizes of the structs of the Arrow C data interface.
_SCHEMA_SIZE, _ARRAY_SIZE, _STREAM_SIZE = 72, 80, 40
# Where each has its release function.
_RELEASE_AT = {b"arrow_schema": 56, b"arrow_array": 64, b"arrow_array_stream": 24}

_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Fill = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_LastError = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_new_capsule.restype = ctypes.py_object
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule_pointer.restype = ctypes.c_void_p
# For an object that is about to be destroyed, of which no reference may be made.
_pointer_of_dying = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_memory = ctypes.CDLL(None)
_memory.calloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
_memory.calloc.restype = ctypes.c_void_p
_memory.free.argtypes = [ctypes.c_void_p]
_memory.free.restype = None


def _release(address: int, name: bytes) -> None:
    """Calls the release function of a struct, unless it has been released or moved."""
    function = ctypes.c_void_p.from_address(address + _RELEASE_AT[name]).value
    if function:
        _Release(function)(address)


def _destructor(name: bytes) -> Any:
    def destroy(capsule: int) -> None:
        address = _pointer_of_dying(capsule, name)
        if address:
            _release(address, name)
            _memory.free(address)

    return _Destructor(destroy)


_destructors = {name: _destructor(name) for name in _RELEASE_AT}


class _Struct:
    """Memory for a struct of the interface, until it is handed to a capsule."""

    def __init__(self, name: bytes, size: int) -> None:
        self._name = name
        self.address: int = _memory.calloc(1, size) or 0
        if not self.address:
            raise MemoryError

    def capsule(self) -> Any:
        address, self.address = self.address, 0
        return _new_capsule(address, self._name, ctypes.cast(_destructors[self._name], ctypes.c_void_p))

    def __del__(self) -> None:
        if self.address:
            _release(self.address, self._name)
            _memory.free(self.address)


def imported(data: Any) -> Iterator[tuple[int, int]]:
    """The addresses of the type and of the values of each batch of an object. Each pair is valid until the next one."""
    if hasattr(data, "__arrow_c_array__"):
        capsules = data.__arrow_c_array__()
        yield _capsule_pointer(capsules[0], b"arrow_schema"), _capsule_pointer(capsules[1], b"arrow_array")
        return
    if not hasattr(data, "__arrow_c_stream__"):
        raise TypeError(f"an object with __arrow_c_array__ or __arrow_c_stream__ is wanted, not {type(data).__name__}")
    capsule = data.__arrow_c_stream__()
    stream = _capsule_pointer(capsule, b"arrow_array_stream")
    schema = _Struct(b"arrow_schema", _SCHEMA_SIZE)
    _call(stream, 0, schema)
    while True:
        array = _Struct(b"arrow_array", _ARRAY_SIZE)
        _call(stream, 8, array)
        if not ctypes.c_void_p.from_address(array.address + _RELEASE_AT[b"arrow_array"]).value:
            return
        yield schema.address, array.address


def _call(stream: int, offset: int, out: _Struct) -> None:
    """Calls one of the functions of a stream that fill a struct."""
    function = _Fill(ctypes.c_void_p.from_address(stream + offset).value or 0)
    status = function(stream, out.address)
    if status:
        reason = _LastError(ctypes.c_void_p.from_address(stream + 16).value or 0)(stream)
        raise OSError(status, (reason or b"the Arrow stream failed").decode(errors="replace"))


class ArrowExport(Handle):
    """An object that is handed out as an Arrow array and as a stream of one batch."""

    _export_function: str

    def _export(self, encoding: ArrowEncoding) -> tuple[_Struct, _Struct]:
        schema, array = _Struct(b"arrow_schema", _SCHEMA_SIZE), _Struct(b"arrow_array", _ARRAY_SIZE)
        check(getattr(library(), self._export_function), self._handle, int(encoding), schema.address, array.address)
        return schema, array

    def to_arrow(self, encoding: ArrowEncoding = ArrowEncoding.WKB) -> ArrowBatch:
        """The same in another encoding, for libraries that read Arrow.

        Args:
            encoding: WKB, or GEOARROW for columns of coordinates, which needs geometries of one type.

        Raises:
            UnsupportedError: GEOARROW is given and the geometries are of several types.
        """
        return ArrowBatch(self, encoding)

    def __arrow_c_schema__(self) -> Any:
        return self._export(ArrowEncoding.WKB)[0].capsule()

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        schema, array = self._export(ArrowEncoding.WKB)
        return schema.capsule(), array.capsule()


class ArrowTable(ArrowExport):
    """An object that is handed out as a stream of one batch, too."""

    _stream_function: str

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._stream(ArrowEncoding.WKB)

    def _stream(self, encoding: ArrowEncoding) -> Any:
        stream = _Struct(b"arrow_array_stream", _STREAM_SIZE)
        check(getattr(library(), self._stream_function), self._handle, int(encoding), stream.address)
        return stream.capsule()

    def to_arrow(self, encoding: ArrowEncoding = ArrowEncoding.WKB) -> ArrowBatch:
        return ArrowTableBatch(self, encoding)


class ArrowBatch:
    """Geometries or features in a chosen encoding. Each library that reads it gets an array of its own."""

    __slots__ = ("_encoding", "_source")

    def __init__(self, source: ArrowExport, encoding: ArrowEncoding) -> None:
        self._source = source
        self._encoding = encoding
        # What cannot be encoded is an error here and not where it is read.
        source._export(encoding)

    def __arrow_c_schema__(self) -> Any:
        return self._source._export(self._encoding)[0].capsule()

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        schema, array = self._source._export(self._encoding)
        return schema.capsule(), array.capsule()

    def __repr__(self) -> str:
        return f"<ArrowBatch {self._encoding.name} of {self._source!r}>"


class ArrowTableBatch(ArrowBatch):
    """Features in a chosen encoding."""

    __slots__ = ()
    _source: ArrowTable

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._source._stream(self._encoding)
