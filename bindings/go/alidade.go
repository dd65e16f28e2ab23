// Package alidade is a headless, embeddable map interaction engine.
//
// Everything begins with RuntimeCreate. A handle such as Map is a number: it may be copied, compared and used on every
// goroutine. What a function named Create, Open, Clone, Take or Async returns is the host's: release it with Release,
// or release the runtime, which releases everything that was created with it. Nothing is released by the garbage
// collector. Using a handle whose object has gone is an error, never a crash.
//
// Functions, structs and constants have the words of the C header, where each function is explained.
package alidade

// #cgo pkg-config: alidade
// #include <alidade.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"strings"
	"unsafe"
)

// Error is why a call failed. errors.Is(err, alidade.StatusNotFound) asks for its status.
type Error struct {
	Status Status
	// The position of the argument at fault in the function of C, counted from 1; 0 if no argument is at fault.
	Argument int
	// The library that defines DomainCode.
	Domain     ErrorDomain
	DomainCode int
	// For people: what went wrong with which value, and what helps.
	Message string
}

func (e *Error) Error() string {
	return e.Message
}

// Is says whether the target is the status of this error.
func (e *Error) Is(target error) bool {
	status, isStatus := target.(Status)
	return isStatus && status == e.Status
}

// Error gives the name of a status in C, such as ALD_STATUS_NOT_FOUND.
func (s Status) Error() string {
	return StatusGetName(s)
}

// RawError is an error inside a struct, such as LoadInfo.
type RawError struct {
	Status     Status
	Argument   int32
	Domain     ErrorDomain
	DomainCode int32
	reserved   [48]uint8
	message    [960]byte
}

// Error gives the error as calls return it; nil if the status is StatusOk.
func (raw *RawError) Error() error {
	if raw.Status == StatusOk {
		return nil
	}
	return &Error{raw.Status, int(raw.Argument), raw.Domain, int(raw.DomainCode), Text(raw.message[:])}
}

func errorOf(failure *C.ald_error) error {
	return (*RawError)(unsafe.Pointer(failure)).Error()
}

// argumentError is about an argument that the library never sees, because Go cannot pass it.
func argumentError(format string, values ...any) error {
	return &Error{Status: StatusInvalidArgument, Message: fmt.Sprintf(format, values...)}
}

func sizeError(name string) error {
	return argumentError("%s does not have as many elements as the arrays that belong to it", name)
}

// Text gives the text in an array of characters, such as the name in a ProjectionInfo.
func Text(characters []byte) string {
	text, _, _ := strings.Cut(string(characters), "\x00")
	return text
}

// grown repeats a call with a larger buffer until everything fits.
func grown[T any](capacity int, call func(*T, C.size_t, *C.size_t, *C.ald_error) C.ald_status) ([]T, error) {
	if capacity < 0 {
		return nil, argumentError("the number of elements is %d; it must not be negative", capacity)
	}
	for {
		buffer := make([]T, capacity)
		var size C.size_t
		failure := new(C.ald_error)
		status := call((*T)(first(buffer)), C.size_t(capacity), &size, failure)
		if status == C.ALD_STATUS_OK && int(size) <= capacity {
			return buffer[:size], nil
		}
		if status != C.ALD_STATUS_OK && (status != C.ALD_STATUS_BUFFER_TOO_SMALL || int(size) <= capacity) {
			return nil, errorOf(failure)
		}
		capacity = int(size)
	}
}

// first gives the address of a slice; nil for an empty one, because an address would say that the array is given.
func first[T any](slice []T) unsafe.Pointer {
	if len(slice) == 0 {
		return nil
	}
	return unsafe.Pointer(&slice[0])
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// Arrays that come out

func arrayAt[T any](pointer unsafe.Pointer, count int) []T {
	if pointer == nil {
		return nil
	}
	return append([]T(nil), unsafe.Slice((*T)(pointer), count)...)
}

func textsAt(pointer **C.char, count int) []string {
	var texts []string
	for _, text := range arrayAt[*C.char](unsafe.Pointer(pointer), count) {
		texts = append(texts, C.GoString(text))
	}
	return texts
}

// stridedAt reads rows of numbers with a distance between the rows.
func stridedAt(pointer unsafe.Pointer, rows, numbers int, strideBytes uintptr) []float64 {
	if pointer == nil {
		return nil
	}
	found := make([]float64, 0, rows*numbers)
	for row := 0; row < rows; row++ {
		found = append(found, unsafe.Slice((*float64)(unsafe.Add(pointer, uintptr(row)*strideBytes)), numbers)...)
	}
	return found
}

// arena is the memory of C that arguments lie in during a call.
type arena struct {
	blocks []unsafe.Pointer
	err    error
}

func (memory *arena) allocate(bytes int) unsafe.Pointer {
	block := C.calloc(1, C.size_t(max(bytes, 1)))
	memory.blocks = append(memory.blocks, block)
	return block
}

func (memory *arena) free() {
	for _, block := range memory.blocks {
		C.free(block)
	}
}

// text gives NULL for an empty text: it was not given.
func (memory *arena) text(text string) *C.char {
	if text == "" {
		return nil
	}
	return memory.wholeText(text)
}

func (memory *arena) wholeText(text string) *C.char {
	if strings.Contains(text, "\x00") {
		memory.err = argumentError("the text %q contains a NUL", text)
		return nil
	}
	block := C.CString(text)
	memory.blocks = append(memory.blocks, unsafe.Pointer(block))
	return block
}

func (memory *arena) texts(texts []string) **C.char {
	if len(texts) == 0 {
		return nil
	}
	block := memory.allocate(len(texts) * int(unsafe.Sizeof(uintptr(0))))
	for index, text := range texts {
		unsafe.Slice((**C.char)(block), len(texts))[index] = memory.wholeText(text)
	}
	return (**C.char)(block)
}

// copied copies a slice into the arena; nil for an empty one.
func copied[T any](memory *arena, slice []T) unsafe.Pointer {
	if len(slice) == 0 {
		return nil
	}
	block := memory.allocate(len(slice) * int(unsafe.Sizeof(slice[0])))
	copy(unsafe.Slice((*T)(block), len(slice)), slice)
	return block
}

// length is the length of an array that shares a count: that many times a factor, and some more.
type length struct{ length, factor, more int }

// count gives how many elements arrays have that share a count; each may be empty.
func (memory *arena) count(name string, arrays ...length) int {
	found := -1
	for _, array := range arrays {
		if array.length == 0 {
			continue
		}
		elements := (array.length - array.more) / array.factor
		if elements*array.factor+array.more != array.length || (found != -1 && found != elements) {
			memory.err = argumentError("the arrays that %s counts have different sizes", name)
		}
		found = elements
	}
	return max(found, 0)
}
