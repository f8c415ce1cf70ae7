// SPDX-License-Identifier: MIT
// What the launchers of the lesson share: the task with its type, and grids.
#pragma once

#include "common/arrays/scan.hpp"
#include "common/check.cuh"
#include "lessons/08_scan/tile.cuh"
#include "lessons/08_scan/tile_words.cuh"

namespace lesson08 {

using course::Device;
using course::Scan;

template <class T>
struct Typed {
  using Op = Plus<T>;
  const T* in;
  T* out;
  T* partials;
  Word* words;
  std::size_t n;
  unsigned block;
  const Device* device;

  explicit Typed(const Scan& s)
      : in(static_cast<const T*>(s.in)),
        out(static_cast<T*>(s.out)),
        partials(static_cast<T*>(s.partials)),
        words(reinterpret_cast<Word*>(s.words)),
        n(s.n),
        block(static_cast<unsigned>(s.block)),
        device(s.device) {}
  bool aligned() const { return aligned_for_quads(in) && aligned_for_quads(out); }
};

// Calls body with the task in its own type.
template <class Body>
void with_type(const Scan& s, Body body) {
  if (s.floats)
    body(Typed<float>(s));
  else
    body(Typed<int>(s));
}

inline unsigned tiles_of(std::size_t n, std::size_t tile) {
  return static_cast<unsigned>((n + tile - 1) / tile);
}

// All blocks must be on the GPU at once: the launch fails where they are not.
template <class... Parameters, class... Arguments>
void launch_together(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                     std::size_t shared_bytes, Arguments... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &together;
  config.numAttrs = 1;
  COURSE_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace lesson08
