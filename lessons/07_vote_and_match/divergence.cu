// SPDX-License-Identifier: MIT
// Vote against divergence: two ways to treat an element, one of them long. Some lanes need the long
// way. What does a warp pay, over how many need it, and over who they are? Program
// 07_vote_and_match.divergence.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/launch.cuh"
#include "common/parallel.hpp"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/07_vote_and_match/lanes.cuh"

namespace {

using course::DeviceBuffer;
using namespace lesson07;

constexpr int kLong = 512, kShort = 16;

// So many steps that depend on each other. The shift is in them because the compiler makes one
// multiplication and one addition of any number of steps without it. Both ways give the same result for an element that needs
// only the short one, so that a lane may take the long way for its neighbours' sake.
__host__ __device__ unsigned walk(unsigned v, int steps) {
  for (int i = 0; i < steps; ++i) v = (v ^ (v >> 15)) * 1664525u + 1013904223u;
  return v;
}
__device__ unsigned short_way(unsigned v) { return walk(v, kShort); }
__device__ unsigned long_way(unsigned v, bool needed) {
  unsigned out = walk(v, kShort);
  const unsigned further = walk(out, kLong - kShort);
  return needed ? further : out;
}

// Every lane its own way: a warp with both goes both, one after the other.
struct Branch {
  static __device__ unsigned run(unsigned v, bool needed) {
    return needed ? long_way(v, true) : short_way(v);
  }
};
// No branch: all lanes go the long way always.
struct Always {
  static __device__ unsigned run(unsigned v, bool needed) { return long_way(v, needed); }
};
// A vote: where one lane needs it, all go the long way; where none does, none.
struct Vote {
  static __device__ unsigned run(unsigned v, bool needed) {
    if (__any_sync(kAllLanes, needed)) return long_way(v, needed);
    return short_way(v);
  }
};

template <class Way>
__global__ void treat(const unsigned* in, const unsigned char* needs, unsigned* out, unsigned n) {
  const unsigned step = gridDim.x * blockDim.x;  // n is a multiple of it: warps stay whole
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = Way::run(in[i], needs[i] != 0);
}

struct Way {
  const char* name;
  void (*kernel)(const unsigned*, const unsigned char*, unsigned*, unsigned);
};
constexpr Way kWays[] = {
    {"branch", &treat<Branch>}, {"always long", &treat<Always>}, {"vote", &treat<Vote>}};

class Curves {
 public:
  explicit Curves(course::Experiment& e)
      : e_(e),
        watch_(e.device, e.flush),
        n_(e.device.small ? 1u << 15 : 1u << 24),
        in_(n_),
        out_(n_),
        needs_(n_),
        truth_{std::vector<unsigned>(n_), std::vector<unsigned>(n_)} {
    std::vector<unsigned> x(n_);
    course::for_each_piece(n_, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        x[i] = static_cast<unsigned>(course::random_bits(1, i));
        truth_[0][i] = walk(x[i], kShort);
        truth_[1][i] = walk(truth_[0][i], kLong - kShort);
      }
    });
    in_.upload(x);
  }

  // `who(i)`: whether element i needs the long way.
  template <class Who>
  void add_row(course::Table& table, const std::string& name, Who who) {
    std::vector<unsigned char> needs(n_);
    for (unsigned i = 0; i < n_; ++i) needs[i] = who(i);
    needs_.upload(needs);
    course::TableRow row{name, {}};
    for (const auto& column : kWays) {
      COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes()));
      const auto timing = watch_.measure(
          [&] {
            column.kernel<<<course::full_grid(e_.device, n_, 256), 256>>>(in_.data(), needs_.data(),
                                                                          out_.data(), n_);
            COURSE_CHECK(cudaGetLastError());
          },
          e_.device.small ? 1 : 11);
      const auto out = out_.download();
      for (unsigned i = 0; i < n_ && ok_; ++i) ok_ = out[i] == truth_[needs[i]][i];
      if (!ok_) std::printf("FAIL %s in %s, %s\n", column.name, table.id.c_str(), name.c_str());
      row.values.push_back(timing.median_us);
    }
    table.rows.push_back(std::move(row));
  }
  bool ok() const { return ok_; }

 private:
  course::Experiment& e_;
  course::Stopwatch watch_;
  unsigned n_;
  DeviceBuffer<unsigned> in_, out_;
  DeviceBuffer<unsigned char> needs_;
  std::array<std::vector<unsigned>, 2> truth_;  // of the short way and of the long one
  bool ok_ = true;
};

bool measure_divergence(course::Experiment& e) {
  Curves curves(e);
  const auto heading = [](const char* id, const char* title) {
    course::Table table{id, title, "us", {"share of lanes"}};
    for (const auto& column : kWays) table.columns.emplace_back(column.name);
    return table;
  };
  auto scattered = heading("scattered", "The long way for lanes here and there");
  auto together = heading("together", "The long way for whole warps");
  std::vector<double> shares = {0, 0.1, 0.3, 1, 3, 10, 30, 50, 90, 100};
  if (e.device.small) shares = {0, 1, 10, 50, 100};  // a modelled curve takes its time
  for (const double percent : shares) {
    char name[16];
    std::snprintf(name, sizeof name, "%g %%", percent);
    const auto limit = static_cast<std::uint64_t>(percent * 1e4);
    curves.add_row(scattered, name,
                   [=](unsigned i) { return course::random_bits(2, i) % 1000000 < limit; });
    curves.add_row(together, name,
                   [=](unsigned i) { return course::random_bits(3, i / 32) % 1000000 < limit; });
  }
  e.add(std::move(scattered));
  e.add(std::move(together));
  return curves.ok();
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "divergence", "When does a uniform branch pay, and when does it cost?"},
      argc, argv, measure_divergence);
}
