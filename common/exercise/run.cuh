// SPDX-License-Identifier: MIT
// What an exercise's run.cu is made with: it brings a case's arrays to the device, calls what the
// student wrote, and writes the arrays that come back. It knows no expected value.
//
//   #include "common/exercise/run.cuh"
//   #include STUDENT_FILE
//   static void run_case(Run& run) {
//     auto x = run.input<int>("x");
//     auto sum = run.output<int>("sum", 1);
//     warp_sum<<<1, 32>>>(x.data(), x.size(), sum.data());
//   }
//   EXERCISE_MAIN(run_case)
//
// The program is called as `runner INPUTS OUTPUTS [--only CASE]`: folders with NAME.in and NAME.out.
// It stops at the first CUDA error (exit code 10), because the device is of no more use then.
#pragma once

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/check.cuh"
#include "common/exercise/arrays.hpp"

namespace course::exercise {

constexpr unsigned char kPoison = 0xCD;        // what the emulator fills fresh memory with, too
constexpr std::size_t kGuardBytes = 256;       // of a GPU's buffers, on both sides
constexpr int kCudaFailed = 10, kBadCall = 2;  // exit codes

inline bool emulated() {
  cudaDeviceProp properties{};
  COURSE_CHECK(cudaGetDeviceProperties(&properties, 0));
  return std::string(properties.name).find("emulator") != std::string::npos;
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
  std::size_t bytes() const { return bytes_; }

  // How many bytes of the guards were changed.
  unsigned damage() const {
    if (!guard_) return 0;
    std::vector<unsigned char> host(bytes_ + 2 * guard_);
    COURSE_CHECK(cudaMemcpy(host.data(), base_, host.size(), cudaMemcpyDeviceToHost));
    unsigned changed = 0;
    for (std::size_t i = 0; i < host.size(); ++i)
      changed += (i < guard_ || i >= guard_ + bytes_) && host[i] != kPoison;
    return changed;
  }

 private:
  unsigned char* base_ = nullptr;
  std::size_t bytes_, guard_;
};

template <class T>
class DeviceArray {
 public:
  DeviceArray(std::shared_ptr<Memory> memory, std::size_t size) : memory_(memory), size_(size) {}
  T* data() { return static_cast<T*>(memory_->data()); }
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<Memory> memory_;
  std::size_t size_;
};

// One case while it runs.
class Run {
 public:
  Run(const Arrays& in, bool guarded) : in_(in), guarded_(guarded) {}

  // The case's array on the device.
  template <class T>
  DeviceArray<T> input(const std::string& name) {
    const std::vector<T> host = in_.get<T>(name);
    DeviceArray<T> array(allocate(name, host.size() * sizeof(T)), host.size());
    if (!host.empty())
      COURSE_CHECK(
          cudaMemcpy(array.data(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
  }
  // The case's array, or its one number, on the host.
  template <class T>
  std::vector<T> host(const std::string& name) const {
    return in_.get<T>(name);
  }
  template <class T>
  T one(const std::string& name) const {
    return in_.one<T>(name);
  }

  // An array that the student's code must fill. It goes to the judge when the case is over.
  template <class T>
  DeviceArray<T> output(const std::string& name, std::size_t size) {
    DeviceArray<T> array(allocate(name, size * sizeof(T)), size);
    collect_.push_back([this, name, array]() mutable {
      std::vector<T> host(array.size());
      if (!host.empty())
        COURSE_CHECK(
            cudaMemcpy(host.data(), array.data(), host.size() * sizeof(T), cudaMemcpyDeviceToHost));
      out_.set(name, host);
    });
    return array;
  }
  // An output that starts with these values instead of poison: what is changed in place, a counter.
  template <class T>
  DeviceArray<T> output(const std::string& name, const std::vector<T>& start) {
    DeviceArray<T> array = output<T>(name, start.size());
    if (!start.empty())
      COURSE_CHECK(
          cudaMemcpy(array.data(), start.data(), start.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
  }
  // An output that is on the host already.
  template <class T>
  void output_host(const std::string& name, const std::vector<T>& values) {
    out_.set(name, values);
  }

  // Waits for the device and gathers the outputs.
  const Arrays& finish() {
    COURSE_CHECK(cudaGetLastError());
    COURSE_CHECK(cudaDeviceSynchronize());
    for (const auto& collect : collect_) collect();
    for (const auto& [name, memory] : memories_)
      if (const unsigned changed = memory->damage())
        out_.set_one<unsigned>("damage." + name, changed);
    return out_;
  }

 private:
  std::shared_ptr<Memory> allocate(const std::string& name, std::size_t bytes) {
    memories_.emplace_back(name, std::make_shared<Memory>(bytes, guarded_));
    return memories_.back().second;
  }

  const Arrays& in_;
  bool guarded_;
  Arrays out_;
  std::vector<std::pair<std::string, std::shared_ptr<Memory>>> memories_;
  std::vector<std::function<void()>> collect_;
};

inline int run_main(int argc, char** argv, void (*run_case)(Run&)) {
  namespace fs = std::filesystem;
  const bool only = argc == 5 && std::string(argv[3]) == "--only";
  if (argc != 3 && !only) {
    std::fprintf(stderr, "usage: runner INPUTS OUTPUTS [--only CASE]\n");
    return kBadCall;
  }
  std::string name;
  try {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(argv[1]))
      if (entry.path().extension() == ".in") files.push_back(entry.path());
    // Small cases first: the first that fails is the one a student is told of.
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
      return std::make_pair(fs::file_size(a), a) < std::make_pair(fs::file_size(b), b);
    });
    const bool guarded = !emulated();
    for (const fs::path& file : files) {
      name = file.stem().string();
      if (only && name != argv[4]) continue;
      const Arrays in = Arrays::load(file);
      Run run(in, guarded);
      run_case(run);
      run.finish().save(fs::path(argv[2]) / (name + ".out"));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exercise: case %s: %s\n", name.c_str(), error.what());
    return kCudaFailed;
  }
  return 0;
}

}  // namespace course::exercise

using course::exercise::Run;

#define EXERCISE_MAIN(run_case) \
  int main(int argc, char** argv) { return ::course::exercise::run_main(argc, argv, run_case); }
