// SPDX-License-Identifier: MIT
// A text, byte by byte and in wider pieces: a word looked for, lines counted, letters made capitals.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kWord = 6;
__constant__ unsigned char wanted_word[kWord] = {'a', 'b', 'a', 'c', 'a', 'b'};

__global__ void text_find(const unsigned char* text, unsigned char* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  bool same = i + kWord <= n;
  for (unsigned k = 0; same && k < kWord; ++k) same = text[i + k] == wanted_word[k];
  out[i] = same;
}
__global__ void text_lines(const unsigned char* text, unsigned* lines, unsigned n) {
  __shared__ unsigned of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const uint4* const wide = reinterpret_cast<const uint4*>(text);
  unsigned bits = 0;
  for (unsigned i = thread_number(); i < n / 16; i += gridDim.x * blockDim.x) {
    const uint4 x = wide[i];
    bits += __popc(__vcmpeq4(x.x, 0x0a0a0a0au)) + __popc(__vcmpeq4(x.y, 0x0a0a0a0au)) +
            __popc(__vcmpeq4(x.z, 0x0a0a0a0au)) + __popc(__vcmpeq4(x.w, 0x0a0a0a0au));
  }
  bits = __reduce_add_sync(kAll, bits / 8);
  if (threadIdx.x % 32 == 0) atomicAdd(&of_block, bits);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(lines, of_block);
}
__global__ void text_capitals(const unsigned char* text, unsigned char* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned char c = text[i];
  out[i] = c >= 'a' && c <= 'z' ? c - 32 : c;
}
__global__ void text_capitals_by_four(const unsigned char* text, unsigned char* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n / 4) return;
  const unsigned x = reinterpret_cast<const unsigned*>(text)[i];
  const unsigned small = __vcmpgeu4(x, 0x61616161u) & __vcmpleu4(x, 0x7a7a7a7au);
  reinterpret_cast<unsigned*>(out)[i] = x - (small & 0x20202020u);
}

inline Shared<unsigned char> text_of(unsigned n) {
  return array<unsigned char>(n, [](unsigned i) {
    const unsigned r = mixed(i);
    return r % 40 == 0 ? '\n' : r % 3 == 0 ? 'B' : 'a' + r / 64 % 3;
  });
}
template <class Launch, class Wanted>
std::function<Problem(unsigned)> text_problem(Launch launch, Wanted wanted) {
  return [=](unsigned n) {
    auto text = text_of(n), out = room<unsigned char>(n);
    return Problem{[=] { launch(text->data(), out->data(), n); },
                   [=] {
                     const std::vector<unsigned char> got = out->device.download();
                     for (unsigned i = 0; i < n; ++i)
                       if (got[i] != wanted(text->host, i)) return false;
                     return true;
                   }};
  };
}
inline Problem lines_problem(unsigned n) {
  auto text = text_of(n);
  auto lines = room<unsigned>(1);
  return {[=] {
            text_lines<<<std::min(blocks_of(n / 16), 528u), kBlock>>>(text->data(), lines->data(),
                                                                      n);
          },
          [=] {
            const auto wanted = std::count(text->host.begin(), text->host.end(), '\n');
            return lines->device.download()[0] == static_cast<unsigned>(wanted);
          },
          [=] { clear(lines); }};
}
inline bool word_at(const std::vector<unsigned char>& text, unsigned i) {
  static const std::string word = "abacab";
  return i + kWord <= text.size() && std::equal(word.begin(), word.end(), text.begin() + i);
}
inline unsigned char capital_at(const std::vector<unsigned char>& text, unsigned i) {
  return text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
}

inline void add_text(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 20, 1 << 24};
  using In = const unsigned char*;
  set.add("text_find", sizes,
          text_problem([](In in, unsigned char* out,
                          unsigned n) { text_find<<<blocks_of(n), kBlock>>>(in, out, n); },
                       word_at));
  set.add("text_lines", sizes, lines_problem);
  set.add("text_capitals", sizes,
          text_problem([](In in, unsigned char* out,
                          unsigned n) { text_capitals<<<blocks_of(n), kBlock>>>(in, out, n); },
                       capital_at));
  set.add("text_capitals_by_four", sizes,
          text_problem(
              [](In in, unsigned char* out, unsigned n) {
                text_capitals_by_four<<<blocks_of(n / 4), kBlock>>>(in, out, n);
              },
              capital_at));
}

}  // namespace timing_set
