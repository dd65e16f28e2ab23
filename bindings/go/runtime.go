package alidade

// #include <alidade.h>
// #include <pthread.h>
// #include <stdint.h>
import "C"

import (
	"runtime"
	"runtime/cgo"
	"sync"
)

// What completion functions panicked with, by the thread that pumps: it must not leave the frames of the library.
var panics sync.Map

//export alidadeComplete
func alidadeComplete(request C.ald_request, key C.uintptr_t) {
	defer func() {
		if why := recover(); why != nil {
			panics.LoadOrStore(C.pthread_self(), why)
		}
	}()
	handle := cgo.Handle(key)
	call := handle.Value().(func(Request))
	handle.Delete()
	call(Request{uint64(request.id)})
}

// Pump calls the functions of requests that have ended. See ald_runtime_pump. A panic in one of them goes on when all have
// been called.
func (runtime_ Runtime) Pump(budgetMs uint32) (report PumpReport, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	failure := new(C.ald_error)
	status := C.ald_runtime_pump(runtime_.c(), C.uint32_t(budgetMs), report.sized(), failure)
	if why, isThere := panics.LoadAndDelete(C.pthread_self()); isThere {
		panic(why)
	}
	if status != C.ALD_STATUS_OK {
		return report, errorOf(failure)
	}
	return report, nil
}
