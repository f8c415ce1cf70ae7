// SPDX-License-Identifier: MIT
// Unpacks chunks of 1024 bytes that were packed by copying from what came before (as LZ4 does): a
// thread a chunk, byte after byte; a warp a chunk, the lanes copy a run together; the same in
// shared memory and written out in wide stores; and, from tokens and literals in arrays of their
// own, every byte by itself, which goes from copy to copy until it comes to a literal.
#pragma once

#include "../set.cuh"

namespace timing_set {

using LempelByte = unsigned char;
constexpr unsigned kLempelChunk = 1024, kLempelShortest = 4;
constexpr unsigned kLempelPacked = kLempelChunk + 8;  // no chunk takes more
constexpr unsigned kLempelTokens = kLempelChunk / kLempelShortest + 4;

// The packed form: a byte with the number of literals and the length of the copy, the literals, the
// distance in two bytes. A chunk may end after the literals.
__global__ void lempel_thread(const LempelByte* packed, const unsigned* starts, LempelByte* out,
                              unsigned chunks) {
  const unsigned chunk = thread_number();
  if (chunk >= chunks) return;
  const LempelByte* in = packed + starts[chunk];
  LempelByte* to = out + chunk * kLempelChunk;
  LempelByte* const end = to + kLempelChunk;
  while (to < end) {
    const unsigned control = *in++;
    for (unsigned i = 0; i < control >> 4; ++i) *to++ = *in++;
    if (to >= end) break;
    const unsigned distance = in[0] | in[1] << 8;
    in += 2;
    for (unsigned i = 0; i < (control & 15) + kLempelShortest; ++i, ++to) *to = *(to - distance);
  }
}

__device__ inline void lempel_unpack(const LempelByte* in, LempelByte* to, unsigned lane) {
  unsigned at = 0;
  while (at < kLempelChunk) {
    const unsigned control = *in++, literals = control >> 4;
    if (lane < literals) to[at + lane] = in[lane];
    in += literals;
    at += literals;
    if (at >= kLempelChunk) break;
    const unsigned distance = in[0] | in[1] << 8, length = (control & 15) + kLempelShortest;
    in += 2;
    __syncwarp();
    // A copy may overlap itself: then it repeats its first bytes.
    if (lane < length) to[at + lane] = to[at - distance + lane % distance];
    at += length;
  }
}

__global__ void lempel_warp(const LempelByte* packed, const unsigned* starts, LempelByte* out,
                            unsigned chunks) {
  const unsigned chunk = thread_number() / 32;
  if (chunk >= chunks) return;
  lempel_unpack(packed + starts[chunk], out + chunk * kLempelChunk, threadIdx.x % 32);
}

constexpr unsigned kLempelWarps = 6;

__global__ void __launch_bounds__(32 * kLempelWarps)
    lempel_shared(const LempelByte* __restrict__ packed, const unsigned* __restrict__ starts,
                  uint4* __restrict__ out, unsigned chunks) {
  __shared__ LempelByte from[kLempelWarps][kLempelPacked];
  __shared__ uint4 to[kLempelWarps][kLempelChunk / 16];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned chunk = blockIdx.x * kLempelWarps + warp;
  if (chunk >= chunks) return;
  const unsigned start = starts[chunk], size = starts[chunk + 1] - start;
  for (unsigned i = lane; i < size; i += 32) from[warp][i] = packed[start + i];
  __syncwarp();
  lempel_unpack(from[warp], reinterpret_cast<LempelByte*>(to[warp]), lane);
  __syncwarp();
  for (unsigned i = lane; i < kLempelChunk / 16; i += 32)
    out[chunk * (kLempelChunk / 16) + i] = to[warp][i];
}

struct LempelToken {
  unsigned short begin, literals;  // its first byte in the chunk, and how many are literals
  unsigned short distance, text;   // where its literals begin among the chunk's
};

__global__ void lempel_jumps(const LempelToken* tokens, const unsigned* token_starts,
                             const LempelByte* literals, const unsigned* literal_starts,
                             uchar4* out) {
  __shared__ LempelToken token[kLempelTokens];
  const unsigned chunk = blockIdx.x, first = token_starts[chunk];
  const unsigned count = token_starts[chunk + 1] - first;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) token[i] = tokens[first + i];
  __syncthreads();
  const LempelByte* text = literals + literal_starts[chunk];
  const auto byte_at = [&](unsigned place) {
    while (true) {
      unsigned low = 0, high = count;  // the last token that begins at or before the place
      while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (token[middle].begin <= place ? low : high) = middle;
      }
      const LempelToken t = token[low];
      const unsigned in = place - t.begin;
      if (in < t.literals) return text[t.text + in];
      place = t.begin + t.literals - t.distance + (in - t.literals) % t.distance;
    }
  };
  const unsigned place = 4 * threadIdx.x;
  out[chunk * (kLempelChunk / 4) + threadIdx.x] =
      make_uchar4(byte_at(place), byte_at(place + 1), byte_at(place + 2), byte_at(place + 3));
}

// Made token by token, so nothing must be packed.
struct LempelData {
  std::vector<LempelByte> packed, literals, plain;
  std::vector<LempelToken> tokens;
  std::vector<unsigned> starts, token_starts, literal_starts;
  void begin_chunk() {
    starts.push_back(static_cast<unsigned>(packed.size()));
    token_starts.push_back(static_cast<unsigned>(tokens.size()));
    literal_starts.push_back(static_cast<unsigned>(literals.size()));
  }
  // Returns how much of the chunk is done then.
  unsigned add_token(unsigned at, unsigned random) {
    unsigned run = std::min(random % 13 + (at == 0), kLempelChunk - at);
    if (kLempelChunk - at - run < kLempelShortest) run = kLempelChunk - at;
    const unsigned length = std::min(kLempelShortest + (random >> 8) % 16, kLempelChunk - at - run);
    const unsigned nearest = (random >> 12) % 8 == 0 ? 6 : kLempelChunk;  // some repeat themselves
    const unsigned distance = 1 + (random >> 16) % std::min(at + run, nearest);
    tokens.push_back({static_cast<unsigned short>(at), static_cast<unsigned short>(run),
                      static_cast<unsigned short>(distance),
                      static_cast<unsigned short>(literals.size() - literal_starts.back())});
    packed.push_back(static_cast<LempelByte>(run << 4 | (length ? length - kLempelShortest : 0)));
    for (unsigned i = 0; i < run; ++i) {
      const auto byte = static_cast<LempelByte>(mixed(random + i));
      packed.push_back(byte);
      literals.push_back(byte);
      plain.push_back(byte);
    }
    if (length) {
      packed.push_back(static_cast<LempelByte>(distance));
      packed.push_back(static_cast<LempelByte>(distance >> 8));
    }
    for (unsigned i = 0; i < length; ++i) plain.push_back(plain[plain.size() - distance]);
    return at + run + length;
  }
};

inline LempelData lempel_data(unsigned chunks) {
  LempelData data;
  unsigned seed = 0;
  for (unsigned chunk = 0; chunk < chunks; ++chunk) {
    data.begin_chunk();
    for (unsigned at = 0; at < kLempelChunk;) at = data.add_token(at, mixed(++seed));
  }
  data.begin_chunk();
  return data;
}

inline std::function<bool()> lempel_right(const Shared<LempelByte>& out, const LempelData& data) {
  auto plain = std::make_shared<std::vector<LempelByte>>(data.plain);
  return [=] { return out->device.download() == *plain; };
}
inline std::function<void()> lempel_reset(const Shared<LempelByte>& out) {
  return [=] { clear(out); };
}

using LempelStart = std::function<void(const LempelByte*, const unsigned*, LempelByte*)>;
inline Problem lempel_packed_problem(unsigned chunks, const LempelStart& start) {
  const LempelData data = lempel_data(chunks);
  auto packed = array(data.packed);
  auto starts = array(data.starts);
  auto out = room<LempelByte>(data.plain.size());
  return Problem{[=] { start(packed->data(), starts->data(), out->data()); },
                 lempel_right(out, data), lempel_reset(out)};
}

inline Problem lempel_jumps_problem(unsigned chunks) {
  const LempelData data = lempel_data(chunks);
  auto tokens = array(data.tokens);
  auto token_starts = array(data.token_starts), literal_starts = array(data.literal_starts);
  auto literals = array(data.literals), out = room<LempelByte>(data.plain.size());
  return Problem{[=] {
                   lempel_jumps<<<chunks, kLempelChunk / 4>>>(
                       tokens->data(), token_starts->data(), literals->data(),
                       literal_starts->data(), reinterpret_cast<uchar4*>(out->data()));
                 },
                 lempel_right(out, data), lempel_reset(out)};
}

inline void add_lempel(Set& set) {
  const std::vector<unsigned> sizes = {40, 1300, 7001};  // chunks
  set.add("lempel_thread", sizes, [](unsigned n) {
    return lempel_packed_problem(
        n, [=](const LempelByte* packed, const unsigned* starts, LempelByte* out) {
          lempel_thread<<<blocks_of(n, 64), 64>>>(packed, starts, out, n);
        });
  });
  set.add("lempel_warp", sizes, [](unsigned n) {
    return lempel_packed_problem(
        n, [=](const LempelByte* packed, const unsigned* starts, LempelByte* out) {
          lempel_warp<<<blocks_of(n * 32, 128), 128>>>(packed, starts, out, n);
        });
  });
  set.add("lempel_shared", sizes, [](unsigned n) {
    return lempel_packed_problem(
        n, [=](const LempelByte* packed, const unsigned* starts, LempelByte* out) {
          lempel_shared<<<blocks_of(n, kLempelWarps), 32 * kLempelWarps>>>(
              packed, starts, reinterpret_cast<uint4*>(out), n);
        });
  });
  set.add("lempel_jumps", sizes, lempel_jumps_problem);
}

}  // namespace timing_set
