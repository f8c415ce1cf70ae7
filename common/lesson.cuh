// SPDX-License-Identifier: MIT
// The program every lesson is: read the options, make the input, verify each rung, time it, verify
// what the timed run gave, print the table, write the JSON. A lesson's main.cu only names its
// rungs.
//
// Exit codes: 0 all right, 1 a wrong sum or a failed CUDA call, 2 wrong options, 3 no GPU and no
// emulator.
#pragma once

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "common/cpu_sum.hpp"
#include "common/cub_sum.cuh"
#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/options.hpp"
#include "common/report.hpp"
#include "common/rung.cuh"
#include "common/timing.cuh"

namespace course {

// Device memory for sums of up to n elements. The input may start one element late, so that nobody
// relies on alignment.
template <class T>
class Workspace {
 public:
  Workspace(std::size_t n, int block, const Device& device)
      : in_(n + 1),
        out_(1),
        partials_(scratch_elements(n)),
        tickets_(kTickets),
        block_(block),
        device_(device) {
    COURSE_CHECK(cudaMemset(tickets_.data(), 0, tickets_.bytes()));
  }
  void load(const std::vector<T>& host, std::size_t shift = 0) {
    n_ = host.size();
    shift_ = shift;
    if (n_ > 0)
      COURSE_CHECK(
          cudaMemcpy(in_.data() + shift, host.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Sum<T> sum() {
    return {in_.data() + shift_, n_,      out_.data(), block_, partials_.data(),
            tickets_.data(),     &device_};
  }

  // Poisons the result first: a kernel that writes nothing must not pass on the last one's answer.
  void poison() { COURSE_CHECK(cudaMemset(out_.data(), 0xcd, sizeof(T))); }
  T result() {
    T value;
    COURSE_CHECK(cudaMemcpy(&value, out_.data(), sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }
  template <class Launch>
  T run(Launch&& launch) {
    poison();
    launch(sum());
    COURSE_CHECK(cudaGetLastError());
    return result();
  }

 private:
  DeviceBuffer<T> in_, out_, partials_;
  DeviceBuffer<unsigned> tickets_;
  std::size_t n_ = 0, shift_ = 0;
  int block_;
  const Device& device_;
};

// One rung against the truth: exact floats, all integers, random floats within the bound, aligned
// and not. The last verdict is the one for random floats; an earlier failure comes back instead.
inline Verdict verify(const Rung& rung, const Device& device, std::size_t n, int block,
                      std::uint64_t seed) {
  Verdict verdict{true};
  if (rung.i32) {
    const auto x = random_ints(n, seed);
    Workspace<int> work(n, block, device);
    for (const std::size_t shift : {0, 1}) {
      work.load(x, shift);
      verdict = judge(work.run(rung.i32), cpu_sum(std::span<const int>(x)));
      if (!verdict.ok) return verdict;
    }
  }
  if (rung.f32) {
    Workspace<float> work(n, block, device);
    const auto whole = exact_floats(n, seed);
    for (const std::size_t shift : {0, 1}) {
      work.load(whole, shift);
      verdict = judge(work.run(rung.f32), exact_sum(whole).sum, 0);
      if (!verdict.ok) return verdict;
    }
    const auto x = random_floats(n, seed);
    const ExactSum truth = exact_sum(x);
    work.load(x);
    verdict = judge(work.run(rung.f32), truth.sum,
                    sum_error_bound(rung.depth(n, block, device), truth.sum_abs));
  }
  return verdict;
}

namespace detail {

template <class F>
Timing time_cpu(F&& f, int reps) {
  std::vector<double> samples;
  for (int i = 0; i < (reps > 0 ? reps : 5); ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    samples.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  return summarise(std::move(samples));
}

// What differs between the two types of element.
inline std::vector<float> make_input(std::size_t n, std::uint64_t seed, float) {
  return random_floats(n, seed);
}
inline std::vector<int> make_input(std::size_t n, std::uint64_t seed, int) {
  return random_ints(n, seed);
}
inline Verdict judge_sum(float actual, const std::vector<float>& x, double depth) {
  const ExactSum truth = exact_sum(x);
  return judge(actual, truth.sum, sum_error_bound(depth, truth.sum_abs));
}
inline Verdict judge_sum(int actual, const std::vector<int>& x, double) {
  return judge(actual, cpu_sum(std::span<const int>(x)));
}
inline auto launcher(const Rung& rung, float) { return rung.f32; }
inline auto launcher(const Rung& rung, int) { return rung.i32; }

template <class T>
void fill_rows(const Lesson& lesson, const Options& options, Stopwatch& watch, Report& report) {
  const std::size_t n = report.n;
  const std::vector<T> x = make_input(n, options.seed, T{});
  const auto add = [&](Row row) {
    row.gbps = row.timing.median_us > 0
                   ? static_cast<double>(n * sizeof(T)) / row.timing.median_us / 1e3
                   : 0;
    report.rows.push_back(std::move(row));
  };
  // A volatile result keeps the compiler from dropping the loop.
  volatile T kept{};
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  {
    Row row{Row::Kind::Cpu, "cpu_1_thread", "one CPU core, one loop"};
    row.timing = time_cpu([&] { kept = cpu_sum(std::span<const T>(x)); }, options.reps);
    row.verdict = judge_sum(kept, x, static_cast<double>(n));
    add(std::move(row));
  }
  {
    Row row{Row::Kind::Cpu, "cpu_" + std::to_string(threads) + "_threads", "all CPU cores"};
    row.timing =
        time_cpu([&] { kept = cpu_sum_threads(std::span<const T>(x), threads); }, options.reps);
    row.verdict = judge_sum(kept, x, static_cast<double>(n));
    add(std::move(row));
  }
  Workspace<T> work(n, options.block, report.device);
  work.load(x);
  for (const Rung& rung : lesson.rungs) {
    if (!options.rungs.empty() &&
        std::find(options.rungs.begin(), options.rungs.end(), rung.id) == options.rungs.end())
      continue;
    Row row{Row::Kind::Rung, rung.id, rung.idea};
    const auto launch = launcher(rung, T{});
    if (!launch) {
      row.skipped = "it adds integers only (--type i32)";
    } else if (report.device.sm < rung.least_sm) {
      row.skipped = "it needs compute capability " + std::to_string(rung.least_sm / 10) + "." +
                    std::to_string(rung.least_sm % 10);
    } else {
      row.verdict = verify(rung, report.device, n, options.block, options.seed);
      if (row.verdict.ok) {
        work.poison();
        row.timing = watch.measure([&] { launch(work.sum()); }, options.reps);
        row.verdict = judge_sum(work.result(), x, rung.depth(n, options.block, report.device));
      }
    }
    add(std::move(row));
  }
  if (options.rungs.empty()) {
    Row row{Row::Kind::Library, "cub", "cub::DeviceReduce::Sum"};
    const Sum<T> s = work.sum();
    CubSum<T> library(s.in, s.n, s.out);
    work.poison();
    row.timing = watch.measure(library, options.reps);
    row.verdict = judge_sum(work.result(), x, static_cast<double>(n));
    add(std::move(row));
  }
}

}  // namespace detail

inline int run_lesson(const Lesson& lesson, int argc, const char* const* argv) {
  std::vector<std::string> ids;
  for (const auto& rung : lesson.rungs) ids.emplace_back(rung.id);
  Options options;
  if (const auto code = parse_options(lesson.name, lesson.question, ids, argc, argv, options))
    return *code;
  if (options.list) {
    for (const auto& rung : lesson.rungs) std::printf("%-20s %s\n", rung.id, rung.idea);
    return 0;
  }
  try {
    const auto device = find_device();
    if (!device) {
      std::fprintf(stderr, "%s: no usable GPU; `./course run` builds and uses the emulator\n",
                   lesson.name);
      return 3;
    }
    Report report;
    report.lesson = lesson.name;
    report.type = options.integers ? "i32" : "f32";
    report.n = options.n.value_or(std::uint64_t{1} << (device->emulated ? 18 : 26));
    report.seed = options.seed;
    report.block = options.block;
    report.device = *device;
    Stopwatch watch(report.device);
    report.roof = measure_roof(report.device, watch);
    if (options.integers) {
      detail::fill_rows<int>(lesson, options, watch, report);
    } else {
      detail::fill_rows<float>(lesson, options, watch, report);
    }
    print_table(report);
    if (!options.json.empty()) {
      std::ofstream file(options.json);
      file << to_json(report).dump(2) << "\n";
      if (!file) {
        std::fprintf(stderr, "%s: cannot write %s\n", lesson.name, options.json.c_str());
        return 2;
      }
    }
    return report.ok() ? 0 : 1;
  } catch (const CudaError& error) {
    std::fprintf(stderr, "%s: %s\n", lesson.name, error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: not enough memory for that many elements\n", lesson.name);
    return 1;
  }
}

}  // namespace course
