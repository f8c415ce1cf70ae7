// SPDX-License-Identifier: MIT
// What a program does wrong with its streams and events and a GPU bears without a word, or with an error that few
// look at: found by the api check.
#pragma once

#include <cuda_runtime_api.h>

#include "cudart/streams/event.hpp"

namespace emu::cudart {

void note_destroyed(cudaStream_t stream);
// A call was given a stream that there is not (any more).
void note_unknown(cudaStream_t stream);
// A call waits for an event; it may be one that was never recorded.
void note_wait(const Event& event);

}  // namespace emu::cudart
