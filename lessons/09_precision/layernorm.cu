// SPDX-License-Identifier: MIT
// LayerNorm and softmax with the parts of RMSNorm, beside a copy. Program 09_precision.layernorm.
#include "lessons/09_precision/layernorm.cuh"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"

namespace {

using course::Stored;
using S = __nv_bfloat16;
constexpr unsigned kColumns = 4096, kThreads = 256, kPacks = 2;
static_assert(kThreads * kPacks * lesson09::kPack<S> == kColumns);

struct Matrix {
  std::vector<float> x, weight;
  course::DeviceBuffer<unsigned char> in, weight_in, out;
  course::RmsNorm task;

  Matrix(std::size_t rows, const course::Device& device)
      : x(course::random_floats(rows * kColumns, 1)),
        weight(course::random_floats(kColumns, 2)),
        in(x.size() * 2),
        weight_in(kColumns * 2),
        out(x.size() * 2) {
    // A mean of its own for every row, and logits that a naive exp() would not survive in some of them.
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = course::nearest(Stored::kBf16, 4 * x[i] + static_cast<float>(i / kColumns % 5) * 40);
    for (float& w : weight) w = course::nearest(Stored::kBf16, 1 + w / 2);
    in.upload(course::pack(Stored::kBf16, x));
    weight_in.upload(course::pack(Stored::kBf16, weight));
    task.stored = Stored::kBf16;
    task.x = in.data();
    task.weight = weight_in.data();
    task.out = out.data();
    task.rows = rows;
    task.columns = kColumns;
    task.device = &device;
  }
};

// The largest error as a share of what is allowed: the storage's rounding, and a part in 10^4 of it for
// what fp32 did before (whose exp() has errors of its own).
double worst(const Matrix& m, bool softmax) {
  const auto got = course::unpack(Stored::kBf16, m.out.download());
  double largest = 0;
  for (std::size_t row = 0; row < m.task.rows; ++row) {
    const float* const x = m.x.data() + row * kColumns;
    double mean = 0, squares = 0, top = x[0], sum = 0;
    for (unsigned c = 0; c < kColumns; ++c) {
      mean += x[c] / double{kColumns};
      top = std::max(top, double{x[c]});
    }
    for (unsigned c = 0; c < kColumns; ++c) {
      squares += (x[c] - mean) * (x[c] - mean) / kColumns;
      sum += std::exp(x[c] - top);
    }
    for (unsigned c = 0; c < kColumns; ++c) {
      const double right = softmax
                               ? std::exp(x[c] - top) / sum
                               : (x[c] - mean) / std::sqrt(squares + m.task.epsilon) * m.weight[c];
      const double allowed = std::abs(right) * (course::unit_of(Stored::kBf16) + 1e-4) + 1e-5;
      const double error = std::abs(got[row * kColumns + c] - right);
      largest = std::max(largest, error <= allowed ? error / allowed : INFINITY);
    }
  }
  return largest;
}

bool measure_layernorm(course::Experiment& e) {
  const std::size_t rows = e.device.small ? 8 : 8192;
  Matrix m(rows, e.device);
  course::Stopwatch watch(e.device, e.flush);
  const lesson09::Rows<S> r(m.task);
  const auto time = [&](auto launch) { return watch.measure(launch).median_us; };
  const double copy = time([&] {
    COURSE_CHECK(
        cudaMemcpyAsync(m.out.data(), m.in.data(), m.in.bytes(), cudaMemcpyDeviceToDevice));
  });
  course::Table table{"rows",
                      "Rows of 4096 bf16, each read once",
                      "",
                      {"what", "time us", "copy us", "x copy", "error / allowed"}};
  bool ok = true;
  for (const bool softmax : {false, true}) {
    COURSE_CHECK(cudaMemset(m.out.data(), 0xff, m.out.bytes()));
    const double us = time([&] {
      const auto kernel = softmax ? &lesson09::softmax<kPacks, S> : &lesson09::layernorm<kPacks, S>;
      kernel<<<static_cast<unsigned>(rows), kThreads>>>(r);
    });
    const double error = worst(m, softmax);
    table.rows.push_back({softmax ? "softmax" : "LayerNorm", {us, copy, us / copy, error}});
    ok = ok && error <= 1;
  }
  e.add(std::move(table));
  if (!ok) std::printf("FAIL: an element is off by more than is allowed\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"09_precision", "layernorm", "LayerNorm and softmax with the parts of RMSNorm."}, argc, argv,
      measure_layernorm);
}
