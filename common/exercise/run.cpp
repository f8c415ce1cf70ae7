// SPDX-License-Identifier: MIT
// The part of an exercise's runner that no student's file changes: files, memory, errors.
#include "common/exercise/run.cuh"

#include <algorithm>
#include <cstdio>
#include <filesystem>
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

}  // namespace

struct Run::State {
  struct Piece {
    std::string name, type;  // no type: not an output
    std::unique_ptr<Memory> memory;
  };
  const Arrays& in;
  bool guarded;
  Arrays out;
  std::vector<Piece> pieces;

  // Waits for the device and gathers the outputs.
  const Arrays& finish() {
    COURSE_CHECK(cudaGetLastError());
    COURSE_CHECK(cudaDeviceSynchronize());
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

Run::Bytes Run::on_device(const char* name, std::size_t bytes, const void* start) {
  return collected(name, "", bytes, start);
}

Run::Bytes Run::collected(const char* name, const char* type, std::size_t bytes,
                          const void* start) {
  auto memory = std::make_unique<Memory>(bytes, state_.guarded);
  void* const data = memory->data();
  if (start && bytes > 0) COURSE_CHECK(cudaMemcpy(data, start, bytes, cudaMemcpyHostToDevice));
  state_.pieces.push_back({name, type, std::move(memory)});
  return {data, bytes};
}

void Run::set_zero(void* data, std::size_t bytes) {
  if (bytes > 0) COURSE_CHECK(cudaMemset(data, 0, bytes));
}

void Run::keep(const char* name, const char* type, const void* data, std::size_t bytes) {
  state_.out.set_bytes(name, type, std::string(static_cast<const char*>(data), bytes));
}

int run_main(int argc, char** argv, void (*run_case)(Run&)) {
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
      Run::State state{in, guarded, {}, {}};
      Run run(state);
      run_case(run);
      state.finish().save(fs::path(argv[2]) / (name + ".out"));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exercise: case %s: %s\n", name.c_str(), error.what());
    return kCudaFailed;
  }
  return 0;
}

}  // namespace course::exercise
