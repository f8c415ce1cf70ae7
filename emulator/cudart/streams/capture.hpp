// SPDX-License-Identifier: MIT
// What a capture means for streams: which calls it allows, how it spreads from stream to stream, and
// what spoils it. What becomes of the captured work is the graphs' affair (graphs/capture.cpp).
//
// A capture spreads to another stream when that stream waits for an event recorded in it, and every
// such stream must be joined again before the capture ends.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cudart/streams/event.hpp"
#include "cudart/streams/operation.hpp"
#include "cudart/streams/stream.hpp"

namespace emu::cudart {

// One sequence between cudaStreamBeginCapture and cudaStreamEndCapture.
struct Capture {
  Capture() = default;
  virtual ~Capture() = default;
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  // Takes work on a stream of this capture, behind what the stream has captured so far.
  virtual cudaError_t add(Stream& stream, Operation operation) = 0;
  // Whether other streams of the capture wait for all that this one has captured.
  virtual bool joined(const Stream& stream) const = 0;

  unsigned long long id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool valid = true;
  std::string spoilt_by;     // the call after which it was not
  bool spoilt_told = false;  // to the program, in a line
  Stream* origin = nullptr;
  std::vector<std::shared_ptr<Stream>> streams;  // the origin first, then in the order they joined
};

// Every capture in progress, oldest first.
std::vector<std::shared_ptr<Capture>>& captures();
// For cudaDeviceReset: forgets them all.
void end_captures();
// The capture can only be ended now, and gives no graph.
void spoil(Capture& capture);
// cudaErrorStreamCaptureInvalidated, for a call that meets a spoilt capture; a line names the call
// that spoiled it, once.
cudaError_t invalidated(Capture& capture);

// Adds work to the capture the stream is in.
cudaError_t capture_operation(Stream& stream, Operation operation);

// A blocking stream is being captured, so the legacy stream would have to wait for it.
bool legacy_would_wait(const Stream& legacy);
// cudaErrorStreamCaptureImplicit (and the captures spoilt) if work on the legacy stream would wait
// for a capturing stream.
cudaError_t check_implicit(const Stream& stream);
// For calls that may not meet a capture on this stream at all.
cudaError_t check_not_capturing(const Stream& stream);
// Inside a capture that forbids "potentially unsafe" calls (cudaMalloc and what waits for the
// device): spoils the capture and returns cudaErrorStreamCaptureUnsupported.
cudaError_t check_capture();
// cudaThreadExchangeStreamCaptureMode: what this thread allows itself.
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

// cudaStreamDestroy: a stream that began a capture, or has not been joined again, spoils it.
void destroyed_while_capturing(const Stream& stream);
// cudaStreamWaitEvent, when the stream or the event is part of a capture.
cudaError_t capture_wait(const std::shared_ptr<Stream>& stream, const Event& event);

}  // namespace emu::cudart
