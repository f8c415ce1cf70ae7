// SPDX-License-Identifier: MIT
// What both programs of the set are beside their kernels: the command line, and the runner.
#include "program.cuh"

#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstring>

#include "runner.cuh"

namespace timing_set {

void Runner::run(const Kernel& kernel, unsigned n, const Problem& problem, bool warm, bool check) {
  if (options_.profile) {
    profile(problem, warm);
    rows_.push_back({&kernel, n, warm, 0, 0});
    return;
  }
  std::vector<double> samples;
  for (int i = device_.emulated ? 0 : -kWarmUp; i < (device_.emulated ? 1 : kSamples); ++i) {
    const double us = sample(problem, warm);
    if (i >= 0) samples.push_back(us);
  }
  COURSE_CHECK(cudaGetLastError());
  if (check && !problem.right()) {
    std::fprintf(stderr, "timing_set: %s at %u: a wrong result\n", kernel.id, n);
    all_right_ = false;
    return;
  }
  const course::Timing t = course::summarise(samples);
  rows_.push_back({&kernel, n, warm, t.median_us, t.spread});
}

double Runner::sample(const Problem& problem, bool warm) {
  prepare(problem, warm);
  start_.record();
  problem.launch();
  stop_.record();
  stop_.wait();
  return stop_.us_since(start_);
}

void Runner::profile(const Problem& problem, bool warm) {
  prepare(problem, warm);
  COURSE_CHECK(cudaDeviceSynchronize());
  COURSE_CHECK(cudaProfilerStart());
  problem.launch();
  COURSE_CHECK(cudaGetLastError());
  COURSE_CHECK(cudaDeviceSynchronize());
  COURSE_CHECK(cudaProfilerStop());
}

namespace {

void write(const std::vector<Row>& rows, const course::Device& device, const char* path) {
  std::FILE* const file = path ? std::fopen(path, "w") : stdout;
  if (!file) throw std::runtime_error(std::string("cannot write ") + path);
  std::fprintf(file, "{\"device\": \"%s\", \"times\": \"%s\", \"rows\": [\n", device.name.c_str(),
               device.time_kind());
  for (const Row& row : rows)
    std::fprintf(
        file,
        "  {\"family\": \"%s\", \"kernel\": \"%s\", \"n\": %u, \"cache\": \"%s\", \"us\": %.4f, "
        "\"spread\": %.4f}%s\n",
        row.kernel->family, row.kernel->id, row.n, row.warm ? "warm" : "cold", row.us, row.spread,
        &row == &rows.back() ? "" : ",");
  std::fprintf(file, "]}\n");
  if (path) std::fclose(file);
}

void list(const std::vector<Kernel>& kernels) {
  for (const Kernel& kernel : kernels) {
    std::printf("%s %s", kernel.family, kernel.id);
    for (const unsigned n : kernel.sizes) std::printf(" %u", n);
    std::printf("\n");
  }
}

int usage(const char* what, const char* word) {
  std::fprintf(stderr,
               "timing_set: %s '%s'; allowed: --quick, --once, --profile, --kernel ID, --json "
               "FILE, --list\n",
               what, word);
  return 2;
}

int run(const std::vector<Kernel>& kernels, const Options& options) {
  const auto device = course::find_device();
  if (!device) {
    std::fprintf(stderr, "%s\n", course::kNoDevice);
    return 3;
  }
  Runner runner(*device, options);
  for (const Kernel& kernel : kernels) {
    const auto& wanted = options.kernels;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), kernel.id) != wanted.end())
      runner.run(kernel);
  }
  write(runner.rows(), *device, options.json);
  return runner.all_right() ? 0 : 1;
}

int main_of(const std::vector<Kernel>& kernels, int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word == "--list") return list(kernels), 0;
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--once") {
      options.once = true;
    } else if (word == "--profile") {
      options.profile = true;
    } else if ((word == "--json" || word == "--kernel") && value) {
      if (word == "--json") options.json = value;
      if (word == "--kernel") options.kernels.emplace_back(value);
      ++i;
    } else {
      return usage("cannot do anything with", word.c_str());
    }
  }
  for (const std::string& id : options.kernels)
    if (std::none_of(kernels.begin(), kernels.end(), [&](const Kernel& k) { return k.id == id; }))
      return usage("there is no kernel", id.c_str());
  return run(kernels, options);
}

}  // namespace

int program(const std::vector<Kernel>& kernels, int argc, char** argv) try {
  return main_of(kernels, argc, argv);
} catch (const std::exception& error) {
  std::fprintf(stderr, "timing_set: %s\n", error.what());
  return 1;
}

}  // namespace timing_set
