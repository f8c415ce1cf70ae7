// SPDX-License-Identifier: MIT
// The part of an exercise's runner that no student's file changes: files, memory, errors.
#include "common/exercise/run.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/check.cuh"
#include "common/exercise/arrays.hpp"

namespace course::exercise {
namespace {

constexpr unsigned char kPoison = 0xCD;        // what the emulator fills fresh memory with, too
constexpr std::size_t kGuardBytes = 256;       // of a GPU's buffers, on both sides
constexpr int kCudaFailed = 10, kBadCall = 2;  // exit codes

bool emulated() {
  cudaDeviceProp properties{};
  COURSE_CHECK(cudaGetDeviceProperties(&properties, 0));
  return std::string(properties.name).find("emulator") != std::string::npos;
}

int device_count() {
  int devices = 0;
  COURSE_CHECK(cudaGetDeviceCount(&devices));
  return devices;
}

void reach_peers(int device, int devices) {
  COURSE_CHECK(cudaSetDevice(device));
  for (int peer = 0; peer < devices; ++peer) {
    if (peer == device) continue;
    const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled)
      cudaGetLastError();
    else
      COURSE_CHECK(error);
  }
}

// Memory on the device with poison in it. The emulator sees every access that strays, so there an
// array is exactly its own allocation. A GPU says nothing: there a guard lies on either side.
class Memory {
 public:
  Memory(std::size_t bytes, bool guarded) : bytes_(bytes), guard_(guarded ? kGuardBytes : 0) {
    if (bytes_ + guard_ == 0) return;  // no elements: a null pointer
    COURSE_CHECK(cudaMalloc(&base_, bytes_ + 2 * guard_));
    COURSE_CHECK(cudaMemset(base_, kPoison, bytes_ + 2 * guard_));
  }
  ~Memory() { cudaFree(base_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void* data() { return base_ ? base_ + guard_ : nullptr; }

  std::string download() const {
    std::string host(bytes_, '\0');
    if (bytes_ > 0)
      COURSE_CHECK(cudaMemcpy(host.data(), base_ + guard_, bytes_, cudaMemcpyDeviceToHost));
    return host;
  }

  // How many bytes of the guards were changed.
  unsigned damage() const {
    if (!guard_) return 0;
    std::vector<unsigned char> host(guard_);
    std::ptrdiff_t whole = 0;
    for (const std::size_t begin : {std::size_t{0}, guard_ + bytes_}) {
      COURSE_CHECK(cudaMemcpy(host.data(), base_ + begin, guard_, cudaMemcpyDeviceToHost));
      whole += std::count(host.begin(), host.end(), kPoison);
    }
    return static_cast<unsigned>(2 * guard_ - static_cast<std::size_t>(whole));
  }

 private:
  unsigned char* base_ = nullptr;
  std::size_t bytes_, guard_;
};

// The time from when the last array was made to the end of the student's work. The best of several
// is kept: what disturbs a measurement only ever makes it longer.
class Clock {
 public:
  Clock() {
    COURSE_CHECK(cudaEventCreate(&start_));
    COURSE_CHECK(cudaEventCreate(&stop_));
  }
  ~Clock() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  void start() { COURSE_CHECK(cudaEventRecord(start_)); }
  void stop() {
    COURSE_CHECK(cudaEventRecord(stop_));
    COURSE_CHECK(cudaEventSynchronize(stop_));
    float time = 0;
    COURSE_CHECK(cudaEventElapsedTime(&time, start_, stop_));
    best_ = std::min(best_, time);
  }
  float milliseconds() const { return best_; }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  float best_ = std::numeric_limits<float>::max();
};

struct Options {
  std::filesystem::path inputs, outputs;
  std::string only;
  int times = 0;  // 0: once, without a clock
};

bool parse(int argc, char** argv, Options& options) {
  if (argc < 3 || argc % 2 == 0) return false;
  options.inputs = argv[1];
  options.outputs = argv[2];
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--only")
      options.only = argv[i + 1];
    else if (name == "--time")
      options.times = std::atoi(argv[i + 1]);
    else
      return false;
  }
  return true;
}

// Small cases first: the first that fails is the one a student is told of.
std::vector<std::filesystem::path> cases(const Options& options) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(options.inputs))
    if (entry.path().extension() == ".in" &&
        (options.only.empty() || entry.path().stem() == options.only))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return std::make_pair(fs::file_size(a), a) < std::make_pair(fs::file_size(b), b);
  });
  return files;
}

}  // namespace

struct Run::State {
  struct Piece {
    std::string name, type;  // no type: not an output
    std::unique_ptr<Memory> memory;
  };
  const Arrays& in;
  bool guarded;
  Clock* clock = nullptr;  // where times are asked for
  Arrays out{};
  std::vector<Piece> pieces{};
  bool several = false;  // GPUs are in use

  // Waits for the device, or for all of them.
  void finish() {
    COURSE_CHECK(cudaGetLastError());
    if (several) {
      for (int d = device_count() - 1; d >= 0; --d) {
        COURSE_CHECK(cudaSetDevice(d));
        COURSE_CHECK(cudaDeviceSynchronize());
      }
    }
    if (clock) clock->stop();
    COURSE_CHECK(cudaDeviceSynchronize());
  }
  const Arrays& outputs() {
    for (const Piece& piece : pieces) {
      if (!piece.type.empty()) out.set_bytes(piece.name, piece.type, piece.memory->download());
      if (const unsigned changed = piece.memory->damage())
        out.set_one<unsigned>("damage." + piece.name, changed);
    }
    return out;
  }
};

Run::Bytes Run::host_bytes(const char* name, const char* type) {
  const std::string& bytes = state_.in.bytes(name, type);
  return {bytes.data(), bytes.size()};
}

void Run::on(int rank) {
  const int devices = device_count();
  if (!state_.several) {
    for (int d = 0; d < devices; ++d) reach_peers(d, devices);
    state_.several = true;
  }
  COURSE_CHECK(cudaSetDevice(rank % devices));
}

Run::Bytes Run::on_device(const char* name, std::size_t bytes, const void* start) {
  return collected(name, "", bytes, start);
}

Run::Bytes Run::collected(const char* name, const char* type, std::size_t bytes,
                          const void* start) {
  auto memory = std::make_unique<Memory>(bytes, state_.guarded);
  void* const data = memory->data();
  if (start && bytes > 0) COURSE_CHECK(cudaMemcpy(data, start, bytes, cudaMemcpyHostToDevice));
  // A fill may still be on its way when another GPU's kernel begins.
  if (state_.several) COURSE_CHECK(cudaDeviceSynchronize());
  // So that a report of the emulator can be read with the array's name (judging/arrays.py).
  if (!state_.guarded) std::fprintf(stderr, "exercise-array: %s %p %zu\n", name, data, bytes);
  state_.pieces.push_back({name, type, std::move(memory)});
  if (state_.clock) state_.clock->start();
  return {data, bytes};
}

void Run::set_zero(void* data, std::size_t bytes) {
  if (bytes > 0) COURSE_CHECK(cudaMemset(data, 0, bytes));
  if (state_.several) COURSE_CHECK(cudaDeviceSynchronize());
  if (state_.clock) state_.clock->start();
}

void Run::keep(const char* name, const char* type, const void* data, std::size_t bytes) {
  state_.out.set_bytes(name, type, std::string(static_cast<const char*>(data), bytes));
}

int run_main(int argc, char** argv, void (*run_case)(Run&)) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "usage: runner INPUTS OUTPUTS [--only CASE] [--time REPEATS]\n");
    return kBadCall;
  }
  std::string name;
  try {
    const bool guarded = !emulated();
    for (const std::filesystem::path& file : cases(options)) {
      name = file.stem().string();
      const Arrays in = Arrays::load(file);
      const auto clock = options.times > 0 ? std::make_unique<Clock>() : nullptr;
      for (int k = 0; k < std::max(1, options.times); ++k) {
        Run::State state{in, guarded, clock.get()};
        if (clock) clock->start();
        Run run(state);
        run_case(run);
        state.finish();
        if (k + 1 >= options.times) state.outputs().save(options.outputs / (name + ".out"));
      }
      if (clock) std::ofstream(options.outputs / (name + ".time")) << clock->milliseconds() << '\n';
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exercise: case %s: %s\n", name.c_str(), error.what());
    return kCudaFailed;
  }
  return 0;
}

}  // namespace course::exercise
