// SPDX-License-Identifier: MIT
// Looking things up: numbers in a sorted array by bisection; keys that are put into a hash table
// with open addresses, by compare-and-swap; keys that are looked for in such a table, half of them
// in vain; and the colours of an image in a table for each channel, which every block has in shared
// memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

// For each number the first place in the sorted array that is not below it.
__global__ void lookups_bisect(const double* sorted, unsigned size, const double* wanted,
                               unsigned* places, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double value = wanted[i];
  unsigned low = 0, high = size;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  places[i] = low;
}

constexpr unsigned kLookupsEmpty = 0xffffffffu;

__host__ __device__ inline unsigned lookups_slot(unsigned key, unsigned mask) {
  return (key * 2654435761u >> 7) & mask;
}

__global__ void lookups_insert(const unsigned* keys, unsigned* table, unsigned* values,
                               unsigned mask, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned slot = lookups_slot(key, mask);
  while (atomicCAS(&table[slot], kLookupsEmpty, key) != kLookupsEmpty) slot = (slot + 1) & mask;
  values[slot] = i + 1;
}

// Key and value of an entry together; 0 for a key that is not there.
__global__ void lookups_find(const uint2* __restrict__ table, const unsigned* __restrict__ keys,
                             unsigned* __restrict__ values, unsigned mask, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned slot = lookups_slot(key, mask), value = 0;
  while (true) {
    const uint2 entry = table[slot];
    if (entry.x == key) value = entry.y;
    if (entry.x == key || entry.x == kLookupsEmpty) break;
    slot = (slot + 1) & mask;
  }
  values[i] = value;
}

constexpr unsigned kLookupsWide = 32, kLookupsHigh = 8, kLookupsRows = 4;  // rows for each thread

__global__ void lookups_colours(const uchar4* in, const unsigned char* curves, uchar4* out,
                                unsigned width, unsigned height) {
  __shared__ unsigned char red[256], green[256], blue[256];
  const unsigned thread = threadIdx.y * kLookupsWide + threadIdx.x;
  red[thread] = curves[thread];
  green[thread] = curves[thread + 256];
  blue[thread] = curves[thread + 512];
  __syncthreads();
  const unsigned x = blockIdx.x * kLookupsWide + threadIdx.x;
  for (unsigned k = 0; k < kLookupsRows; ++k) {
    const unsigned y = (blockIdx.y * kLookupsRows + k) * kLookupsHigh + threadIdx.y;
    if (x < width && y < height) {
      const uchar4 colour = in[y * width + x];
      out[y * width + x] = make_uchar4(red[colour.x], green[colour.y], blue[colour.z], colour.w);
    }
  }
}

inline Problem lookups_bisect_problem(unsigned n) {
  const unsigned size = 8 * n;
  auto sorted = array<double>(size, [](unsigned i) { return i + mixed(i + 81) / 4294967296.0; });
  auto wanted =
      array<double>(n, [=](unsigned i) { return mixed(i + 82) / 4294967296.0 * (size + 1.0); });
  auto places = room<unsigned>(n);
  return Problem{
      [=] {
        lookups_bisect<<<blocks_of(n, 64), 64>>>(sorted->data(), size, wanted->data(),
                                                 places->data(), n);
      },
      [=] {
        const auto begin = sorted->host.begin(), end = sorted->host.end();
        return agrees(
            places,
            [&](unsigned i) { return std::lower_bound(begin, end, wanted->host[i]) - begin; }, 0);
      }};
}

// A power of two, so that half of the slots at least stay empty.
inline unsigned lookups_slots(unsigned n) {
  unsigned slots = 1;
  while (slots < 2 * n) slots *= 2;
  return slots;
}
// Different for different i.
inline unsigned lookups_key(unsigned i) { return mixed(i + 83); }

inline Problem lookups_insert_problem(unsigned n) {
  const unsigned slots = lookups_slots(n);
  auto keys = array<unsigned>(n, lookups_key);
  auto table = room<unsigned>(slots), values = room<unsigned>(slots);  // all empty
  return Problem{[=] {
                   lookups_insert<<<blocks_of(n), kBlock>>>(keys->data(), table->data(),
                                                            values->data(), slots - 1, n);
                 },
                 [=] {
                   const std::vector<unsigned> in_table = table->device.download();
                   const std::vector<unsigned> value = values->device.download();
                   if (std::count(in_table.begin(), in_table.end(), kLookupsEmpty) != slots - n)
                     return false;
                   for (unsigned i = 0; i < n; i += n / 1000 | 1) {
                     unsigned slot = lookups_slot(keys->host[i], slots - 1);
                     while (in_table[slot] != keys->host[i] && in_table[slot] != kLookupsEmpty)
                       slot = (slot + 1) & (slots - 1);
                     if (in_table[slot] != keys->host[i] || value[slot] != i + 1) return false;
                   }
                   return true;
                 },
                 [=] {
                   COURSE_CHECK(cudaMemset(table->data(), 0xff, table->device.bytes()));
                   COURSE_CHECK(cudaMemset(values->data(), 0xff, values->device.bytes()));
                 }};
}

inline Problem lookups_find_problem(unsigned n) {
  const unsigned slots = lookups_slots(n), mask = slots - 1;
  std::vector<uint2> entries(slots, make_uint2(kLookupsEmpty, 0));
  for (unsigned i = 0; i < n; ++i) {
    unsigned slot = lookups_slot(lookups_key(i), mask);
    while (entries[slot].x != kLookupsEmpty) slot = (slot + 1) & mask;
    entries[slot] = make_uint2(lookups_key(i), i + 1);
  }
  auto table = array(std::move(entries));
  const auto which = [=](unsigned i) { return mixed(i + 84) % (2 * n); };  // those from n miss
  auto keys = array<unsigned>(n, [=](unsigned i) { return lookups_key(which(i)); });
  auto values = room<unsigned>(n);
  return Problem{[=] {
                   lookups_find<<<blocks_of(n, 128), 128>>>(table->data(), keys->data(),
                                                            values->data(), mask, n);
                 },
                 [=] {
                   return agrees(
                       values, [&](unsigned i) { return which(i) < n ? which(i) + 1 : 0; }, 0);
                 }};
}

inline Problem lookups_colours_problem(unsigned n) {
  const unsigned width = n, height = n * 9 / 16;
  auto in = array<uchar4>(width * height, [](unsigned i) {
    const unsigned bits = mixed(i / 2 + 85);  // neighbours are often alike
    return make_uchar4(bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24);
  });
  auto curves = array<unsigned char>(
      768, [](unsigned i) { return 255 * std::pow(i % 256 / 255.0, 0.5 + 0.4 * (i / 256)) + 0.5; });
  auto out = room<uchar4>(width * height);
  const dim3 block(kLookupsWide, kLookupsHigh);
  const dim3 grid(blocks_of(width, kLookupsWide), blocks_of(height, kLookupsHigh * kLookupsRows));
  return Problem{[=] {
                   lookups_colours<<<grid, block>>>(in->data(), curves->data(), out->data(), width,
                                                    height);
                 },
                 [=] {
                   const std::vector<uchar4> got = out->device.download();
                   const std::vector<unsigned char>& curve = curves->host;
                   for (unsigned i = 0; i < width * height; ++i) {
                     const uchar4 was = in->host[i], is = got[i];
                     if (is.x != curve[was.x] || is.y != curve[256 + was.y] ||
                         is.z != curve[512 + was.z] || is.w != was.w)
                       return false;
                   }
                   return true;
                 }};
}

inline void add_lookups(Set& set) {
  set.add("lookups_bisect", {2000, 100000, 1500000}, lookups_bisect_problem);
  set.add("lookups_insert", {3000, 300000, 1700000}, lookups_insert_problem);
  set.add("lookups_find", {3000, 400000, 4000000}, lookups_find_problem);
  set.add("lookups_colours", {100, 1000, 3800}, lookups_colours_problem);
}

}  // namespace timing_set
