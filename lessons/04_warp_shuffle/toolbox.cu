// SPDX-License-Identifier: MIT
// Shows every function of warp_toolbox.cuh on one warp: what each lane brings, what it gets, and
// whether that is what the CPU says. Program 04_warp_shuffle.toolbox; exit code 1 if one is wrong.
#include <algorithm>
#include <climits>
#include <cmath>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "lessons/04_warp_shuffle/warp_toolbox.cuh"

namespace {

using lesson04::kWarp;
using lesson04::lane;

// One warp; lane i brings in[i] and leaves out[i]. The tool is a __device__ function, known to the
// compiler: the host cannot take the address of one and hand it over at run time.
template <class T, T (*kTool)(T)>
__global__ void one_warp(const T* in, T* out) {
  out[lane()] = kTool(in[lane()]);
}

template <class T, T (*kTool)(T)>
std::vector<T> run(const std::vector<T>& in) {
  course::DeviceBuffer<T> from(in), to(in.size());
  one_warp<T, kTool><<<1, kWarp>>>(from.data(), to.data());
  COURSE_CHECK(cudaGetLastError());
  return to.download();
}

std::string text(int v) { return std::to_string(v); }
std::string text(float v) {
  if (std::isnan(v)) return "nan";
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%g", v);
  return buffer;
}

template <class T>
void print_lanes(const char* name, const std::vector<T>& values) {
  for (unsigned first = 0; first < values.size(); first += 16) {
    std::printf("  %-6s", first == 0 ? name : "");
    for (unsigned i = first; i < first + 16; ++i) std::printf(" %4s", text(values[i]).c_str());
    std::printf("\n");
  }
}

// NaN in the same place is what was asked for.
bool same(int a, int b) { return a == b; }
bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool all_ok = true;

// The tool on the warp beside the truth: expected(i) is what lane i must get.
template <class T, T (*kTool)(T), class Expected>
void show(const char* title, const std::vector<T>& in, Expected expected) {
  const std::vector<T> out = run<T, kTool>(in);
  std::vector<T> right;
  bool ok = true;
  for (int i = 0; i < static_cast<int>(kWarp); ++i) {
    right.push_back(expected(i));
    ok &= same(out[i], right[i]);
  }
  std::printf("\n%s: %s\n", title, ok ? "ok" : "FAIL");
  print_lanes("brings", in);
  print_lanes("gets", out);
  if (!ok) print_lanes("not", right);
  all_ok &= ok;
}

// The CPU's version of every reduction: a loop over lanes first to last - 1.
template <class Op>
int fold(const std::vector<int>& v, int first, int last, Op op) {
  int result = v[first];
  for (int i = first + 1; i < last; ++i) result = op(result, v[i]);
  return result;
}

// ---- moving values

__device__ int broadcast_5(int v) { return lesson04::broadcast(v, 5); }
__device__ int first_of_odd(int v) { return lesson04::first_of_those(v, v % 2 == 1); }

void show_moves(const std::vector<int>& v) {
  show<int, broadcast_5>("broadcast of lane 5", v, [&](int) { return v[5]; });
  show<int, lesson04::broadcast_in_group<8>>("broadcast_in_group<8>: the first of every eight", v,
                                             [&](int i) { return v[i / 8 * 8]; });
  show<int, lesson04::reverse>("reverse", v, [&](int i) { return v[31 - i]; });
  show<int, lesson04::from_next>("from_next: lane 31 keeps its own", v,
                                 [&](int i) { return v[i == 31 ? 31 : i + 1]; });
  show<int, lesson04::from_previous_in_group<8>>(
      "from_previous_in_group<8>: lanes 0, 8, 16, 24 keep their own", v,
      [&](int i) { return v[i % 8 == 0 ? i : i - 1]; });
  show<int, first_of_odd>("first_of_those that are odd: a mask from a vote before the branch", v,
                          [&](int i) { return v[i % 2 == 1 ? 1 : i]; });
}

// ---- reducing and scanning

// An operator of one's own: keep the right operand. Associative, but not commutative.
struct KeepRight {
  __device__ int operator()(int, int b) const { return b; }
};

__device__ int sum(int v) { return lesson04::butterfly(v, lesson04::Plus{}); }
__device__ int largest(int v) { return lesson04::butterfly(v, lesson04::Largest{}); }
__device__ int smallest(int v) { return lesson04::butterfly(v, lesson04::Smallest{}); }
__device__ int largest_of_8(int v) { return lesson04::butterfly<8>(v, lesson04::Largest{}); }
__device__ int keep_right(int v) { return lesson04::butterfly(v, KeepRight{}); }
__device__ int largest_of_first_11(int v) {
  return lesson04::reduce_first(v, 11, INT_MIN, lesson04::Largest{});
}

void show_reductions(const std::vector<int>& v) {
  const auto plus = [](int a, int b) { return a + b; };
  const auto larger = [](int a, int b) { return std::max(a, b); };
  const auto smaller = [](int a, int b) { return std::min(a, b); };
  show<int, sum>("butterfly, Plus", v, [&](int) { return fold(v, 0, 32, plus); });
  show<int, largest>("butterfly, Largest", v, [&](int) { return fold(v, 0, 32, larger); });
  show<int, smallest>("butterfly, Smallest", v, [&](int) { return fold(v, 0, 32, smaller); });
  show<int, largest_of_8>("butterfly<8>, Largest: four groups, four maxima", v,
                          [&](int i) { return fold(v, i / 8 * 8, i / 8 * 8 + 8, larger); });
  show<int, keep_right>("butterfly, an operator that is not commutative: keep the right one", v,
                        [&](int) { return v[31]; });
  show<int, largest_of_first_11>("reduce_first of 11 lanes, Largest, identity the lowest int", v,
                                 [&](int) { return fold(v, 0, 11, larger); });
  show<int, lesson04::inclusive_scan<8>>("inclusive_scan<8>", v,
                                         [&](int i) { return fold(v, i / 8 * 8, i + 1, plus); });
  show<int, lesson04::inclusive_scan<32>>("inclusive_scan<32>", v,
                                          [&](int i) { return fold(v, 0, i + 1, plus); });
}

// ---- argmax

__device__ float index_of_max(float v) {
  return static_cast<float>(lesson04::arg_max(v, lane()).index);
}
__device__ float value_of_max(float v) { return lesson04::arg_max(v, lane()).value; }

void show_arg_max() {
  std::vector<float> v(kWarp);
  for (unsigned i = 0; i < kWarp; ++i) v[i] = -1.0f - static_cast<float>((i + 4) * 7 % 11);
  show<float, index_of_max>("arg_max, index: all negative, ties go to the smaller index", v,
                            [](int) { return 7.0f; });
  v[9] = v[20] = INFINITY;
  show<float, index_of_max>("arg_max, index: two infinities", v, [](int) { return 9.0f; });
  v[17] = v[25] = NAN;
  show<float, index_of_max>("arg_max, index: two NaNs, the first wins", v,
                            [](int) { return 17.0f; });
  show<float, value_of_max>("arg_max, value: the NaN is not lost", v, [](int) { return NAN; });
}

// ---- transposing

constexpr int kSize = 4;

__global__ void transpose_rows(int* rows) {
  int row[kSize];
  for (int k = 0; k < kSize; ++k) row[k] = rows[lane() * kSize + k];
  lesson04::transpose(row);
  for (int k = 0; k < kSize; ++k) rows[lane() * kSize + k] = row[k];
}

// Eight matrices of 4 x 4, one for every four lanes. The first two are printed.
void show_transpose() {
  std::vector<int> rows(kWarp * kSize);
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) rows[i] = i;
  course::DeviceBuffer<int> device(rows);
  transpose_rows<<<1, kWarp>>>(device.data());
  COURSE_CHECK(cudaGetLastError());
  const std::vector<int> out = device.download();
  bool ok = true;
  for (unsigned i = 0; i < kWarp; ++i) {
    const unsigned first = i / kSize * kSize;  // lane of the group's first row
    for (unsigned k = 0; k < kSize; ++k)
      ok &= out[i * kSize + k] == rows[(first + k) * kSize + i % kSize];
  }
  std::printf("\ntranspose<4>: every four lanes hold a matrix, a row in each: %s\n",
              ok ? "ok" : "FAIL");
  for (unsigned i = 0; i < 2 * kSize; ++i) {
    std::printf("  lane %u brings", i);
    for (int k = 0; k < kSize; ++k) std::printf(" %3d", rows[i * kSize + k]);
    std::printf("   gets");
    for (int k = 0; k < kSize; ++k) std::printf(" %3d", out[i * kSize + k]);
    std::printf("\n");
  }
  all_ok &= ok;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"04_warp_shuffle", "toolbox",
                              "What a warp can do with shuffles, shown lane by lane."};
  info.takes_json = false;
  return course::run_experiment(info, argc, argv, [](course::Experiment&) {
    std::vector<int> lanes(kWarp), values(kWarp);
    for (int i = 0; i < static_cast<int>(kWarp); ++i) {
      lanes[i] = i;
      values[i] = i * 13 % 17 - 20;  // all negative: a maximum that starts from 0 would be wrong
    }
    std::printf("Lanes 0 to 15 in the first line, 16 to 31 in the second.\n");
    show_moves(lanes);
    show_reductions(values);
    show_arg_max();
    show_transpose();
    return all_ok;
  });
}
