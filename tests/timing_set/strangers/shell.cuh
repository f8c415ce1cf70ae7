// SPDX-License-Identifier: MIT
// Sorts the rows of a table that are nearly in order: by insertion with one thread for each row, by odd and even
// neighbours until nothing is exchanged, by Shell's gaps with ever fewer threads, and by counting who comes before.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kShellShort = 64, kShellNeighbours = 384, kShellLong = 1536, kShellCounted = 256;

__global__ void shell_insertion(const int* in, int* out, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int values[kShellShort];
  for (int k = 0; k < kShellShort; k++) values[k] = in[row * kShellShort + k];
  for (int k = 1; k < kShellShort; k++) {
    int value = values[k], at = k;
    while (at > 0 && values[at - 1] > value) {
      values[at] = values[at - 1];
      at--;
    }
    values[at] = value;
  }
  for (int k = 0; k < kShellShort; k++) out[row * kShellShort + k] = values[k];
}

template <class T, int length>
__global__ void __launch_bounds__(length / 2) shell_neighbours(T* table) {
  __shared__ T row[length];
  T* const mine = table + static_cast<std::size_t>(blockIdx.x) * length;
  const int t = threadIdx.x;
  row[t] = mine[t];
  row[t + length / 2] = mine[t + length / 2];
  __syncthreads();
  bool again = true;
  while (again) {
    bool exchanged = false;
    for (int odd = 0; odd < 2; ++odd) {
      const int left = 2 * t + odd;
      if (left + 1 < length) {
        const T a = row[left], b = row[left + 1];
        if (b < a) {
          row[left] = b;
          row[left + 1] = a;
          exchanged = true;
        }
      }
      __syncthreads();
    }
    again = __syncthreads_or(exchanged);
  }
  mine[t] = row[t];
  mine[t + length / 2] = row[t + length / 2];
}

// Two rows to a block. Of the threads of a row, as many work as the gap is wide: at the end one.
__global__ void shell_gaps(unsigned short* table, int rows) {
  __shared__ unsigned short parts[2][kShellLong];
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  unsigned short* part = parts[threadIdx.y];
  if (row < rows)
    for (int k = threadIdx.x; k < kShellLong; k += blockDim.x)
      part[k] = table[row * kShellLong + k];
  for (int gap = 121; gap > 0; gap /= 3) {
    __syncthreads();
    if (row >= rows || static_cast<int>(threadIdx.x) >= gap) continue;
    for (int k = threadIdx.x + gap; k < kShellLong; k += gap) {
      const unsigned short value = part[k];
      int at = k;
      for (; at >= gap && part[at - gap] > value; at -= gap) part[at] = part[at - gap];
      part[at] = value;
    }
  }
  __syncthreads();
  if (row < rows)
    for (int k = threadIdx.x; k < kShellLong; k += blockDim.x)
      table[row * kShellLong + k] = part[k];
}

__global__ void __launch_bounds__(kShellCounted)
    shell_counted(const float* __restrict__ keys, const double* __restrict__ values,
                  float* __restrict__ sorted_keys, double* __restrict__ sorted_values) {
  __shared__ float4 row[kShellCounted / 4];
  const unsigned first = blockIdx.x * kShellCounted, t = threadIdx.x;
  const float key = keys[first + t];
  reinterpret_cast<float*>(row)[t] = key;
  __syncthreads();
  unsigned before = 0;
#pragma unroll 4
  for (unsigned k = 0; k < kShellCounted / 4; ++k) {
    const float4 four = row[k];
    before += four.x < key || (four.x == key && 4 * k < t);
    before += four.y < key || (four.y == key && 4 * k + 1 < t);
    before += four.z < key || (four.z == key && 4 * k + 2 < t);
    before += four.w < key || (four.w == key && 4 * k + 3 < t);
  }
  sorted_keys[first + before] = key;
  sorted_values[first + before] = values[first + t];
}

template <class T>
Shared<T> shell_table(unsigned rows, unsigned length) {
  return array<T>(rows * length, [=](unsigned i) { return i % length * 8 + mixed(i) % 128; });
}
// Looks at some rows.
template <class T>
bool shell_sorted(const Shared<T>& in, const Shared<T>& out, unsigned length) {
  const std::vector<T> got = out->device.download();
  const unsigned rows = out->size() / length;
  for (unsigned r = 0; r < rows; r += 1 + rows / 60) {
    std::vector<T> wanted(in->host.begin() + r * length, in->host.begin() + (r + 1) * length);
    std::sort(wanted.begin(), wanted.end());
    if (!std::equal(wanted.begin(), wanted.end(), got.begin() + r * length)) return false;
  }
  return true;
}

inline Problem shell_insertion_problem(unsigned rows) {
  auto in = shell_table<int>(rows, kShellShort), out = room<int>(rows * kShellShort);
  return {[=] {
            shell_insertion<<<blocks_of(rows, 64), 64>>>(in->data(), out->data(),
                                                         static_cast<int>(rows));
          },
          [=] { return shell_sorted(in, out, kShellShort); }};
}
inline Problem shell_neighbours_problem(unsigned rows) {
  auto table = shell_table<float>(rows, kShellNeighbours);
  return {[=] {
            shell_neighbours<float, kShellNeighbours>
                <<<rows, kShellNeighbours / 2>>>(table->data());
          },
          [=] { return shell_sorted(table, table, kShellNeighbours); }, [=] { table->restore(); }};
}
inline Problem shell_gaps_problem(unsigned rows) {
  auto table = shell_table<unsigned short>(rows, kShellLong);
  return {[=] {
            shell_gaps<<<blocks_of(rows, 2), dim3(512, 2)>>>(table->data(), static_cast<int>(rows));
          },
          [=] { return shell_sorted(table, table, kShellLong); }, [=] { table->restore(); }};
}
inline Problem shell_counted_problem(unsigned rows) {
  auto keys = shell_table<float>(rows, kShellCounted);
  auto values = array<double>(keys->size(), [=](unsigned i) { return 3.0 * keys->host[i] + 1; });
  auto sorted_keys = room<float>(keys->size());
  auto sorted_values = room<double>(keys->size());
  return {[=] {
            shell_counted<<<rows, kShellCounted>>>(keys->data(), values->data(),
                                                   sorted_keys->data(), sorted_values->data());
          },
          [=] {
            const std::vector<float> got = sorted_keys->device.download();
            return shell_sorted(keys, sorted_keys, kShellCounted) &&
                   agrees(sorted_values, [&](unsigned i) { return 3.0 * got[i] + 1; });
          }};
}

inline void add_shell(Set& set) {
  set.add("shell_insertion", {1000, 30000, 120000}, shell_insertion_problem);
  set.add("shell_neighbours", {20, 1500, 15000}, shell_neighbours_problem);
  set.add("shell_gaps", {14, 500, 1500}, shell_gaps_problem);
  set.add("shell_counted", {25, 1100, 4500}, shell_counted_problem);
}

}  // namespace timing_set
