// SPDX-License-Identifier: MIT
// One piece of work on a stream: done at once, or added to the graph the stream is capturing.
#pragma once

#include <cuda_runtime_api.h>

#include <any>
#include <functional>
#include <memory>

namespace emu::cudart {

class UnderWay;

struct Operation {
  enum class Kind {
    Kernel,
    Memcpy,
    Memset,
    Host,
    EventRecord,
    EventWait,
    Alloc,
    Free,
    Empty
  } kind = Kind::Empty;
  // Must own what it needs: it may run again at each graph launch.
  std::function<cudaError_t()> run;
  // Of a kernel, where there are several devices: begins it, and leaves it to others to give it turns. nullptr: it
  // cannot begin, and `error` says why.
  std::function<std::unique_ptr<UnderWay>(cudaError_t& error)> begin;
  // Its parameters, for the graph's Get and SetParams; the room that makes the operation says what.
  std::any detail;
};

}  // namespace emu::cudart
