// SPDX-License-Identifier: MIT
// The same elements in another order: pixels of three bytes to planes, axes exchanged, rows of a table taken and added to
// by number.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void planes_of_pixels(const unsigned char* in, float* out, unsigned pixels) {
  const unsigned i = thread_number();
  if (i >= pixels) return;
  for (unsigned c = 0; c < 3; ++c) out[c * pixels + i] = in[3 * i + c] / 255.0f;
}
constexpr unsigned kChannels = 24;
// From pixel, channel to channel, pixel: the result in its order.
__global__ void axes_exchanged(const float* in, float* out, unsigned pixels) {
  const unsigned i = thread_number();
  if (i < pixels * kChannels) out[i] = in[i % pixels * kChannels + i / pixels];
}
constexpr unsigned kTableRow = 64;
__global__ void rows_taken(const float* table, const unsigned* number, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n * kTableRow) out[i] = table[number[i / kTableRow] * kTableRow + i % kTableRow];
}
__global__ void rows_added(float* table, const unsigned* number, const float* in, unsigned n) {
  const unsigned i = thread_number();
  if (i < n * kTableRow)
    atomicAdd(&table[number[i / kTableRow] * kTableRow + i % kTableRow], in[i]);
}

inline Problem pixels_problem(unsigned n) {
  auto in = array<unsigned char>(3 * n, [](unsigned i) { return mixed(i) & 255; });
  auto out = room<float>(3 * n);
  return {
      [=] { planes_of_pixels<<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
      [=] { return agrees(out, [=](unsigned i) { return in->host[i % n * 3 + i / n] / 255.0; }); }};
}
inline Problem axes_problem(unsigned n) {
  auto in = uniform(n * kChannels, 1), out = room<float>(n * kChannels);
  return {[=] { axes_exchanged<<<blocks_of(n * kChannels), kBlock>>>(in->data(), out->data(), n); },
          [=] {
            return agrees(
                out, [=](unsigned i) { return in->host[i % n * kChannels + i / n]; }, 0);
          }};
}
// A table of 4096 rows; few of them are wanted often.
inline unsigned row_number(unsigned i) {
  const unsigned r = mixed(i);
  return r % 4 ? r / 4 % 4096 : r / 4 % 64;
}
inline Problem taken_problem(unsigned n) {
  auto table = uniform(4096 * kTableRow, 1), out = room<float>(n * kTableRow);
  auto number = array<unsigned>(n, row_number);
  return {[=] {
            rows_taken<<<blocks_of(n * kTableRow), kBlock>>>(table->data(), number->data(),
                                                             out->data(), n);
          },
          [=] {
            return agrees(
                out,
                [=](unsigned i) {
                  return table->host[row_number(i / kTableRow) * kTableRow + i % kTableRow];
                },
                0);
          }};
}
inline Problem added_problem(unsigned n) {
  auto table = room<float>(4096 * kTableRow), in = uniform(n * kTableRow, 1);
  auto number = array<unsigned>(n, row_number);
  return {[=] {
            rows_added<<<blocks_of(n * kTableRow), kBlock>>>(table->data(), number->data(),
                                                             in->data(), n);
          },
          [=] {
            std::vector<double> wanted(4096 * kTableRow);
            for (unsigned i = 0; i < n * kTableRow; ++i)
              wanted[row_number(i / kTableRow) * kTableRow + i % kTableRow] += in->host[i];
            return agrees(table, [&](unsigned i) { return wanted[i]; });
          },
          [=] { clear(table); }};
}

inline void add_layout(Set& set) {
  const std::vector<unsigned> sizes = {1 << 9, 1 << 14, 1 << 18};
  set.add("planes_of_pixels", {1 << 14, 1 << 18, 1 << 22}, pixels_problem);
  set.add("axes_exchanged", sizes, axes_problem);
  set.add("rows_taken", sizes, taken_problem);
  set.add("rows_added", sizes, added_problem);
}

}  // namespace timing_set
