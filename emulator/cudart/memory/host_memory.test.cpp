// SPDX-License-Identifier: MIT
// What the host cannot give is refused when it is asked for, not when it is touched.
#include "cudart/memory/host_memory.hpp"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/captured.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;
namespace fs = std::filesystem;

namespace {

// A machine as /proc and /sys describe it.
struct Machine {
  Machine() {
    std::string name = (fs::temp_directory_path() / "host_memory_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
  }
  ~Machine() { fs::remove_all(root); }
  void file(const std::string& path, const std::string& text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  std::size_t left() const { return host_memory_left(root); }
  fs::path root;
};

struct Pretended {
  explicit Pretended(std::size_t bytes) { pretend_host_memory(bytes); }
  ~Pretended() { pretend_host_memory(std::nullopt); }
};

constexpr std::size_t kMi = std::size_t{1} << 20;

}  // namespace

TEST_CASE_METHOD(Machine, "host memory: what the machine has available, with its swap") {
  CHECK(left() == kNoLimit);
  file("proc/meminfo", "MemTotal: 900 kB\nMemFree: 10 kB\nMemAvailable: 500 kB\nSwapFree: 20 kB\n");
  CHECK(left() == 520 * 1024);
}

TEST_CASE_METHOD(Machine, "host memory: the tightest control group counts") {
  file("proc/meminfo", "MemAvailable: 500 kB\n");
  file("proc/self/cgroup", "0::/a/b\n");
  file("sys/fs/cgroup/a/b/memory.max", "max\n");
  file("sys/fs/cgroup/a/b/memory.current", "1000\n");
  CHECK(left() == 500 * 1024);
  file("sys/fs/cgroup/a/memory.max", "4000\n");
  file("sys/fs/cgroup/a/memory.current", "1000\n");
  CHECK(left() == 3000);
  file("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 400\n");
  CHECK(left() == 3400);
  file("sys/fs/cgroup/a/memory.current", "9000\n");
  CHECK(left() == 0);
}

TEST_CASE_METHOD(Machine,
                 "host memory: control groups of version 1, and a path that is not there") {
  file("proc/self/cgroup", "3:cpu:/x\n7:memory:/in/a/container\nnonsense\n");
  file("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000\n");
  file("sys/fs/cgroup/memory/memory.usage_in_bytes", "3000\n");
  CHECK(left() == 2000);
}

TEST_CASE("host memory: every kind of allocation is refused with a line") {
  const Pretended pretended(64 * kMi);
  void* p = nullptr;
  const std::string said = support::captured(stderr, [&] {
    CHECK(cudaMalloc(&p, 65 * kMi) == cudaErrorMemoryAllocation);
    CHECK(p == nullptr);
  });
  CHECK(said ==
        "warp-ladder emulator: cudaMalloc: 68157440 bytes are asked for, but this machine has "
        "67108864 "
        "left for them\n");
  CHECK(cudaMallocManaged(&p, 65 * kMi, cudaMemAttachGlobal) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocHost(&p, 65 * kMi) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocAsync(&p, 65 * kMi, nullptr) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&p, 2 * kMi) == cudaSuccess);
  CHECK(cudaFree(p) == cudaSuccess);
}

TEST_CASE("host memory: what was promised and not touched counts") {
  constexpr std::size_t kLarge = std::size_t{1} << 30;
  void *p = nullptr, *q = nullptr;
  {
    const Pretended pretended(kLarge + kMi);
    REQUIRE(cudaMalloc(&p, kLarge) == cudaSuccess);
    CHECK(cudaMalloc(&q, kLarge) == cudaErrorMemoryAllocation);
    CHECK(cudaFree(p) == cudaSuccess);
    CHECK(cudaMalloc(&q, kLarge) == cudaSuccess);
    CHECK(cudaFree(q) == cudaSuccess);
  }
  cudaGetLastError();
}
