package alidade

/*
#include <alidade.h>
#include <stdint.h>

extern void alidadeComplete(ald_request request, uintptr_t key);

static void complete(ald_request request, void *user_data) { alidadeComplete(request, (uintptr_t)user_data); }

static void set_completion(ald_request_options *options, uintptr_t key) {
  options->completion = complete;
  options->user_data = (void *)key;
}
*/
import "C"

import "runtime/cgo"

// RequestOptions says how a request runs. nil gives the defaults.
type RequestOptions struct {
	Flags RequestFlags
	// Newer requests with the same key replace older ones. 0: none.
	ReplaceKey uint64
	// Called once by Runtime.Pump, on its goroutine, when the request has ended.
	OnDone func(Request)
}

// pendingRequest is a request that is about to begin.
type pendingRequest struct {
	raw *C.ald_request_options
	key cgo.Handle
}

func (options *RequestOptions) begin(memory *arena) pendingRequest {
	if options == nil {
		return pendingRequest{}
	}
	raw := (*C.ald_request_options)(memory.allocate(C.sizeof_ald_request_options))
	raw.struct_size = C.sizeof_ald_request_options
	raw.flags = C.ald_request_flags(options.Flags)
	raw.replace_key = C.uint64_t(options.ReplaceKey)
	if options.OnDone == nil || memory.err != nil {
		return pendingRequest{raw: raw}
	}
	key := cgo.NewHandle(options.OnDone)
	C.set_completion(raw, C.uintptr_t(key))
	return pendingRequest{raw, key}
}

// forget forgets the function of a request that has not begun.
func (pending pendingRequest) forget() {
	if pending.key != 0 {
		pending.key.Delete()
	}
}
