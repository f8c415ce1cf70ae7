// SPDX-License-Identifier: MIT
// What the programs of this folder share: timing a launch with the L2 cache in a known state, and writing what was found
// as one row of JSON per measurement.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/timing.cuh"

namespace model {

using course::DeviceBuffer;
using Parameters = std::vector<std::pair<const char*, long long>>;

static __global__ void sweep(const uint4* in, std::size_t count, unsigned* out) {
  unsigned x = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x)
    x |= in[i].x;
  if (x == 1) *out = x;
}

// How a launch finds the L2 cache.
enum class Cache {
  Clean,  // as the course measures: full of what was read elsewhere, with nothing to be written back
  Dirty,  // full of what a memset wrote
  Kept,   // as the launch before left it
};

// Measures and keeps rows. Asks the emulator once (its times do not change), a GPU many times.
class Recorder {
 public:
  explicit Recorder(const course::Device& device)
      : device(device),
        flush_(device.emulated ? 0 : 4 * static_cast<std::size_t>(device.l2_bytes)) {}

  using Launch = std::function<void()>;
  void time(const char* id, Parameters with, const Launch& launch, Cache cache = Cache::Clean,
            const Launch& before = {}) {
    const char* const only = std::getenv("MODEL_ONLY");  // names of the rows that are wanted
    if (only && !std::strstr(only, id)) return;
    std::vector<double> samples;
    for (int i = device.emulated ? 0 : -2; i < (device.emulated ? 1 : kSamples); ++i) {
      prepare(cache);
      if (before) before();
      start_.record();
      launch();
      stop_.record();
      stop_.wait();
      if (i >= 0) samples.push_back(stop_.us_since(start_));
    }
    COURSE_CHECK(cudaGetLastError());
    const course::Timing t = course::summarise(samples);
    if (cache != Cache::Clean) with.emplace_back(cache == Cache::Dirty ? "dirty" : "kept", 1);
    add(id, with, "us", t.median_us, t.spread);
  }
  void add(const char* id, const Parameters& with, const char* unit, double value,
           double spread = 0) {
    std::string row = std::string("{\"id\": \"") + id + "\"";
    for (const auto& [name, number] : with)
      row += std::string(", \"") + name + "\": " + std::to_string(number);
    char text[96];
    std::snprintf(text, sizeof text, ", \"%s\": %.4f, \"spread\": %.4f}", unit, value, spread);
    rows_.push_back(row + text);
    if (std::getenv("MODEL_VERBOSE")) std::fprintf(stderr, "%s\n", rows_.back().c_str());
  }
  template <class Kernel>
  void add_registers(const char* id, Kernel kernel) {
    cudaFuncAttributes a{};
    COURSE_CHECK(cudaFuncGetAttributes(&a, kernel));
    add("registers", {{id, 1}}, "registers", a.numRegs);
  }
  void write(const char* path, const char* kind) const {
    std::FILE* file = path ? std::fopen(path, "w") : stdout;
    if (!file) throw std::runtime_error(std::string("cannot write ") + path);
    std::fprintf(
        file,
        "{\n  \"schema\": 1,\n  \"kind\": \"%s\",\n  \"device\": \"%s\",\n  \"times\": \"%s\",\n",
        kind, device.name.c_str(), device.time_kind());
    std::fprintf(file, "  \"rows\": [\n");
    for (std::size_t i = 0; i < rows_.size(); ++i)
      std::fprintf(file, "    %s%s\n", rows_[i].c_str(), i + 1 < rows_.size() ? "," : "");
    std::fprintf(file, "  ]\n}\n");
    if (path) std::fclose(file);
  }

  const course::Device& device;

 private:
  static constexpr int kSamples = 21;

  void prepare(Cache cache) {
    if (cache == Cache::Kept) return;
    if (device.emulated) {  // it takes this call for a flush
      COURSE_CHECK(cudaCtxResetPersistingL2Cache());
      return;
    }
    COURSE_CHECK(cudaMemset(flush_.data(), 0, flush_.bytes()));
    // Read again, all of it: what is left at the end has nothing to be written back.
    if (cache == Cache::Clean)
      sweep<<<device.multiprocessors * 8, 256>>>(reinterpret_cast<const uint4*>(flush_.data()),
                                                 flush_.bytes() / 16,
                                                 reinterpret_cast<unsigned*>(flush_.data()));
  }

  DeviceBuffer<unsigned char> flush_;
  course::Event start_, stop_;
  std::vector<std::string> rows_;
};

// main() of both programs: `program [FILE]`.
template <class Fill>
int run(int argc, char** argv, const char* kind, Fill&& fill) try {
  const auto device = course::find_device();
  if (!device) {
    std::fprintf(stderr, "%s\n", course::kNoDevice);
    return 3;
  }
  Recorder recorder(*device);
  fill(recorder);
  recorder.write(argc > 1 ? argv[1] : nullptr, kind);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace model
