// SPDX-License-Identifier: MIT
// How work gets onto a stream: every launch, copy, fill, record and host function goes through here.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "cudart/streams/operation.hpp"
#include "cudart/streams/stream.hpp"

namespace emu::cudart {

// Does the work now (behind what other threads still do of it), or adds it to what the stream
// captures.
cudaError_t submit(cudaStream_t stream, Operation operation);
// The work itself, with what must be told of its beginning and its end.
cudaError_t do_now(const std::shared_ptr<Stream>& stream, const Operation& operation);
// Work that is done before the call returns: what a capture allows of it, then operation.run().
cudaError_t submit_and_wait(cudaStream_t stream, const Operation& operation);

}  // namespace emu::cudart
