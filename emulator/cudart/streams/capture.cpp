// SPDX-License-Identifier: MIT
// Keeps the captures in progress and holds calls to their rules.
#include "cudart/streams/capture.hpp"

#include <algorithm>
#include <utility>

#include "cudart/calls/call.hpp"

namespace emu::cudart {

namespace {

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// The legacy stream would have to wait for a blocking stream in this capture.
bool holds_up_legacy(const Capture& capture, const Stream& legacy) {
  return std::any_of(capture.streams.begin(), capture.streams.end(), [&](const auto& stream) {
    return stream->device == legacy.device && stream->blocking();
  });
}

}  // namespace

std::vector<std::shared_ptr<Capture>>& captures() {
  static auto* list = new std::vector<std::shared_ptr<Capture>>;
  return *list;
}

void end_captures() {
  const auto ended = std::exchange(captures(), {});
  for (auto& capture : ended)
    for (auto& stream : capture->streams) stream->leave_capture();
}

void spoil(Capture& capture) {
  if (capture.valid) capture.spoilt_by = current_call();
  capture.valid = false;
}

cudaError_t invalidated(Capture& capture) {
  if (!std::exchange(capture.spoilt_told, true)) {
    say(std::string(current_call()) + ": the capture was spoilt earlier, by " + capture.spoilt_by +
        "; it can only be ended, and gives no graph");
  }
  return cudaErrorStreamCaptureInvalidated;
}

cudaError_t capture_operation(Stream& stream, Operation operation) {
  return stream.capture->add(stream, std::move(operation));
}

bool legacy_would_wait(const Stream& legacy) {
  return std::any_of(captures().begin(), captures().end(),
                     [&](const auto& capture) { return holds_up_legacy(*capture, legacy); });
}

cudaError_t check_implicit(const Stream& stream) {
  if (!stream.legacy || !legacy_would_wait(stream)) return cudaSuccess;
  for (auto& capture : captures())
    if (holds_up_legacy(*capture, stream)) spoil(*capture);
  return cudaErrorStreamCaptureImplicit;
}

cudaError_t check_not_capturing(const Stream& stream) {
  if (!stream.capture) return cudaSuccess;
  if (!stream.capture->valid) return invalidated(*stream.capture);
  spoil(*stream.capture);
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t check_capture() {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  auto here = std::this_thread::get_id();
  bool met = false;
  for (auto& capture : captures()) {
    bool own = capture->thread == here && capture->mode != cudaStreamCaptureModeRelaxed;
    bool global =
        capture->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal;
    if (own || global) spoil(*capture), met = true;
  }
  return met ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

void destroyed_while_capturing(const Stream& stream) {
  Capture& capture = *stream.capture;
  if (capture.origin == &stream || !capture.joined(stream)) spoil(capture);
}

cudaError_t capture_wait(const std::shared_ptr<Stream>& stream, const Event& event) {
  auto theirs = event.captured ? event.capture.lock() : nullptr;
  bool active =
      theirs && std::find(captures().begin(), captures().end(), theirs) != captures().end();
  if (stream->capture && !stream->capture->valid) return invalidated(*stream->capture);
  if (!active) {
    if (event.captured) return cudaErrorInvalidValue;
    if (!event.recorded) return cudaSuccess;
    spoil(*stream->capture);
    say("cudaStreamWaitEvent: the stream is being captured, but the event was recorded outside the "
        "capture");
    return cudaErrorStreamCaptureIsolation;
  }
  if (!theirs->valid) return invalidated(*theirs);
  if (!stream->capture) {
    if (stream->legacy) {
      spoil(*theirs);
      return cudaErrorStreamCaptureImplicit;
    }
    stream->capture = theirs;
    theirs->streams.push_back(stream);
    stream->set_tail(event.capture_tail);
    return cudaSuccess;
  }
  if (stream->capture != theirs) {
    spoil(*stream->capture);
    spoil(*theirs);
    return cudaErrorStreamCaptureMerge;
  }
  stream->add_to_tail(event.capture_tail);
  return cudaSuccess;
}

}  // namespace emu::cudart
