// SPDX-License-Identifier: MIT
#include "cudart/streams/misuse.hpp"

#include <set>
#include <string>

#include "cudart/calls/call.hpp"
#include "cudart/environment/checks.hpp"

namespace emu::cudart {
namespace {

// Never destroyed: a program may call the runtime from destructors of its own globals.
std::set<cudaStream_t>& destroyed() {
  static auto* all = new std::set<cudaStream_t>;
  return *all;
}

std::string this_call() {
  const char* const name = current_call();
  return name ? name : "a call";
}

}  // namespace

void note_destroyed(cudaStream_t stream) {
  if (wanted_checks().api) destroyed().insert(stream);
}

void note_unknown(cudaStream_t stream) {
  if (!wanted_checks().api || !destroyed().count(stream)) return;
  check::Finding f;
  f.check = check::Check::Api;
  f.id = "api-stream-destroyed";
  f.title = "a stream that was destroyed";
  f.what = this_call() + " is given a stream that cudaStreamDestroy() has ended";
  f.why = "the handle means nothing any more, or another stream by now";
  f.cure = "destroy a stream when nothing uses it any more, and set its handle to 0 then";
  add_finding(std::move(f));
}

void note_wait(const Event& event) {
  if (!wanted_checks().api || event.recorded || event.captured) return;
  check::Finding f;
  f.check = check::Check::Api;
  f.id = "api-event-not-recorded";
  f.remark = true;
  f.title = "an event that nobody has recorded";
  f.what = this_call() + " waits for an event before cudaEventRecord() was called for it";
  f.why = "such an event counts as done, so that nothing is waited for";
  f.cure = "record it first, behind the work that it shall stand for";
  add_finding(std::move(f));
}

}  // namespace emu::cudart
