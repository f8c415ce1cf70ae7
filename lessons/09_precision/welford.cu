// SPDX-License-Identifier: MIT
// The variance of numbers that lie close together and far from zero: by the formula of the textbook, and
// by Welford's, merged across lanes. Program 09_precision.welford.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "lessons/09_precision/moments.cuh"

namespace {

using lesson09::Moments;

// The mean of the squares minus the square of the mean: two large numbers that are nearly equal.
__global__ void textbook(const float* x, unsigned n, float* variance) {
  __shared__ float sums[32], squares[32];
  float sum = 0, square = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    sum += x[i];
    square += x[i] * x[i];
  }
  sum = lesson09::block_total(sum, sums);
  square = lesson09::block_total(square, squares);
  const auto count = static_cast<float>(n);
  if (threadIdx.x == 0) *variance = square / count - (sum / count) * (sum / count);
}

__global__ void welford(const float* x, unsigned n, float* variance) {
  Moments mine = {0, 0, 0};
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) lesson09::add_to(mine, x[i]);
  const Moments all = lesson09::merged_block(mine);
  if (threadIdx.x == 0) *variance = all.variance();
}

bool compare(course::Experiment& e) {
  constexpr unsigned kN = 20000;
  course::Table table{"variance",
                      "Variance of 20,000 numbers within 1 of a mean, in fp32",
                      "",
                      {"mean", "true variance", "textbook", "Welford"}};
  bool ok = true;
  for (const float centre : {0.0f, 100.0f, 10000.0f, 1000000.0f}) {
    std::vector<float> x = course::random_floats(kN, 9);
    double mean = 0, squares = 0;
    for (float& v : x) mean += v += centre;
    mean /= kN;
    for (const float v : x) squares += (v - mean) * (v - mean);
    course::DeviceBuffer<float> in(x), out(2);
    textbook<<<1, 256>>>(in.data(), kN, out.data());
    welford<<<1, 256>>>(in.data(), kN, out.data() + 1);
    COURSE_CHECK(cudaGetLastError());
    const auto found = out.download();
    table.rows.push_back(
        {std::to_string(static_cast<int>(centre)), {squares / kN, found[0], found[1]}});
    // Both errors grow with the mean in units of the deviation; the textbook's with its square.
    const double far = std::abs(mean) / std::sqrt(squares / kN);
    ok = ok && std::abs(found[1] / (squares / kN) - 1) <= 1e-5 + 4 * 0x1p-24 * far;
  }
  e.add(std::move(table));
  if (!ok) std::printf("FAIL: Welford's variance is off by more than it may be\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment({"09_precision", "welford", "A variance that does not cancel."},
                                argc, argv, compare);
}
