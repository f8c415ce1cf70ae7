// SPDX-License-Identifier: MIT
// How fast the emulator is: warp instructions per second of the engine, kernel by kernel, on one
// core, plain, with counters and with checks, and the time of a tree reduction of 2^24 floats. Prints a Markdown
// table (docs/emulator.md holds one). Not a test: it asserts nothing about speed, only about
// results.
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "devices/profile.hpp"
#include "engine/launch.hpp"
#include "memory/address_space.hpp"
#include "ptx/module.hpp"
#include "timing/modelling.hpp"

namespace {

using emu::exec::Dim3;
using emu::exec::Kernel;
using emu::exec::LaunchRequest;
using emu::exec::Program;

std::string read_file(const char* path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "bench: cannot read %s\n", path);
    std::exit(3);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

// Arrays that there are: the checks must know that they have been written.
std::vector<const emu::memory::Allocation*> arrays;

// A device array filled with value(i).
template <class T>
class Array {
 public:
  Array(std::size_t n, const std::function<T(std::size_t)>& value)
      : allocation_(emu::memory::AddressSpace::instance().allocate(n * sizeof(T),
                                                                   emu::memory::Kind::Device, 0)) {
    for (std::size_t i = 0; i < n; ++i) (*this)[i] = value(i);
    arrays.push_back(&allocation_);
  }
  ~Array() { emu::memory::AddressSpace::instance().release(allocation_.address); }
  T& operator[](std::size_t i) { return reinterpret_cast<T*>(allocation_.bytes)[i]; }
  std::uint64_t address() const { return allocation_.address; }

 private:
  emu::memory::Allocation& allocation_;
};

// Lays arguments out as the kernel's parameters say.
template <class... T>
std::vector<std::byte> pack(const Kernel& kernel, T... values) {
  std::vector<std::byte> params(kernel.param_bytes);
  std::size_t i = 0;
  (std::memcpy(params.data() + kernel.function->params[i++].offset, &values, sizeof values), ...);
  return params;
}

struct Measured {
  std::uint64_t instructions = 0;
  double seconds = 0;
  double counting_seconds = 0;
  double checking_seconds = 0;
};

// Seconds of the processor, not of the clock on the wall: others may use it too.
double run_once(const LaunchRequest& request, std::uint64_t& instructions) {
  const std::clock_t start = std::clock();
  instructions = emu::exec::launch(request).warp_instructions;
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Measured measure(const Kernel& kernel, Dim3 grid, std::uint32_t block,
                 std::vector<std::byte> params, bool several_devices = false) {
  LaunchRequest request;
  request.kernel = &kernel;
  request.grid = grid;
  request.block = {block, 1, 1};
  request.params = std::move(params);
  request.profile = emu::devices::find("h200");
  request.resident_blocks = 8 * request.profile->multiprocessors;
  Measured m{0, 1e30, 1e30, 1e30};
  emu::observe::Modelling counting;  // what a program with events has
  emu::check::Findings findings(nullptr);
  emu::check::Wanted wanted;
  wanted.race = wanted.init = true;
  wanted.several_devices = several_devices;
  emu::check::Checker checking(wanted, findings);
  for (const auto* a : arrays) checking.written(a->address, a->size);
  // Best of seven, in turns.
  for (int i = 0; i < 7; ++i) {
    request.observer = nullptr;
    m.seconds = std::min(m.seconds, run_once(request, m.instructions));
    request.observer = &counting;
    m.counting_seconds = std::min(m.counting_seconds, run_once(request, m.instructions));
    if (i >= 3) continue;
    request.observer = &checking;
    m.checking_seconds = std::min(m.checking_seconds, run_once(request, m.instructions));
  }
  return m;
}

// Bytes that the program has got from the system's allocator and not given back.
std::size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// What the checks keep when a kernel has ended, and what the program allocated for it.
template <class T>
void memory_row(const char* what, const Kernel& kernel) {
  constexpr int kBytes = 1 << 24, kElements = kBytes / sizeof(T);
  Array<T> in(kElements, [](std::size_t i) { return T(i); }),
      out(kElements, [](std::size_t) { return T(0); });
  emu::check::Findings findings(nullptr);
  emu::check::Wanted wanted;
  wanted.race = wanted.init = true;
  const std::size_t before = in_use();
  emu::check::Checker checking(wanted, findings);
  LaunchRequest request;
  request.kernel = &kernel;
  request.grid = {64, 1, 1};
  request.block = {256, 1, 1};
  request.params = pack(kernel, in.address(), out.address(), kElements);
  request.profile = emu::devices::find("h200");
  request.resident_blocks = 8 * request.profile->multiprocessors;
  request.observer = &checking;
  for (const std::uint64_t address : {in.address(), out.address()})
    checking.written(address, kBytes);
  emu::exec::launch(request);
  constexpr double kMega = 1 << 20;
  const double allocated = 2 * kBytes / kMega, kept = double(in_use() - before) / kMega;
  std::printf("| %-42s | %6.0f | %6.0f | %4.1f |\n", what, allocated, kept, kept / allocated);
  std::fflush(stdout);
}

void row(const char* what, const Measured& m) {
  const double million = static_cast<double>(m.instructions) / 1e6;
  std::printf("| %-42s | %8.1f | %6.2f | %6.1f | %6.1f | %4.2f | %6.1f | %4.1f |\n", what, million,
              m.seconds, million / m.seconds, million / m.counting_seconds,
              m.counting_seconds / m.seconds, million / m.checking_seconds,
              m.checking_seconds / m.seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : WARPLADDER_BENCH_PTX;
  std::vector<std::shared_ptr<const emu::ptx::Module>> modules{emu::ptx::parse(read_file(path))};
  const Program program(modules, 0);
  const auto kernel = [&](const char* name) -> const Kernel& { return *program.kernel(name); };

  constexpr int kN = 1 << 16, kBlocks = 16, kBlock = 256;
  Array<float> x(kN, [](std::size_t i) { return float(i % 17); }),
      y(kN, [](std::size_t i) { return float(i % 13); });
  Array<unsigned> words(kN, [](std::size_t i) { return unsigned(i * 2654435761u); });

  std::printf(
      "| kernel, full warps on one core | warp instructions (M) | s | M/s | counting M/s | times "
      "slower | checking (race, init) M/s | times slower |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  const Dim3 grid{kBlocks, 1, 1};
  auto& integer = kernel("integer_arithmetic");
  row("integer arithmetic", measure(integer, grid, kBlock, pack(integer, words.address(), 4000)));
  auto& floats = kernel("float_arithmetic");
  row("fp32 arithmetic", measure(floats, grid, kBlock, pack(floats, y.address(), 4000)));
  auto& copy = kernel("load_store");
  row("global loads and stores, coalesced",
      measure(copy, grid, kBlock, pack(copy, x.address(), y.address(), kN, 100)));
  auto& mixed = kernel("mixed");
  row("arithmetic, loads and stores together",
      measure(mixed, grid, kBlock, pack(mixed, x.address(), y.address(), 1.5f, kN, 100)));
  auto& shared = kernel("shared_memory");
  row("shared memory and barriers", measure(shared, grid, kBlock, pack(shared, y.address(), 2000)));
  auto& shuffles = kernel("shuffles");
  row("shuffles", measure(shuffles, grid, kBlock, pack(shuffles, y.address(), 1000)));
  auto& divergent = kernel("divergent");
  row("divergent branches", measure(divergent, grid, kBlock, pack(divergent, y.address(), 2000)));
  auto& atomics = kernel("atomics");
  const auto of_atomics = pack(atomics, y.address(), words.address(), kN);
  row("atomics on 256 addresses", measure(atomics, grid, kBlock, of_atomics));
  // For each of them the checks must know on which device it is; all else costs the same as with one.
  row("... where there are several devices", measure(atomics, grid, kBlock, of_atomics, true));

  constexpr int kLarge = 1 << 24, kParts = kLarge / kBlock;
  Array<float> large(kLarge, [](std::size_t i) { return float(i % 8); });
  Array<float> parts(kParts, [](std::size_t) { return -1.0f; });
  auto& tree = kernel("tree_reduction");
  const Measured reduction =
      measure(tree, {kParts, 1, 1}, kBlock, pack(tree, large.address(), parts.address(), kLarge));
  row("tree reduction of 2^24 floats", reduction);
  double sum = 0;
  for (int i = 0; i < kParts; ++i) sum += parts[i];
  if (sum != 3.5 * kLarge) {
    std::fprintf(stderr, "bench: the reduction gave %.1f, expected %.1f\n", sum, 3.5 * kLarge);
    return 1;
  }
  std::printf(
      "\n| memory of the checks (race, init) | program's arrays (MiB) | checks (MiB) | times |\n"
      "| --- | ---: | ---: | ---: |\n");
  memory_row<int>("arrays of 4-byte values", kernel("copy_words"));
  memory_row<short>("arrays of 2-byte values", kernel("copy_halves"));
  memory_row<signed char>("arrays of bytes", kernel("copy_bytes"));
  memory_row<signed char>("... of which three lanes read each", kernel("blur_bytes"));
  memory_row<signed char>("... written in no order", kernel("scatter_bytes"));
}
