// SPDX-License-Identifier: MIT
// How fast the emulator is: warp instructions per second of the engine, kernel by kernel, on one
// core, plain, with counters and with checks, and the time of a tree reduction of 2^24 floats. Prints a Markdown
// table (docs/emulator.md holds one). It asserts nothing about speed, only about results and about the memory of the
// checks. `--memory`: only that, with small arrays, which is a test.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "bench/arrays.hpp"
#include "bench/memory_cost.hpp"
#include "check/check.hpp"
#include "devices/profile.hpp"
#include "engine/launch.hpp"
#include "ptx/module.hpp"
#include "timing/modelling.hpp"

namespace {

using bench::Array;
using bench::pack;
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
  for (const auto* a : bench::arrays()) checking.written(a->address, a->size);
  // Best of seven, in turns; of more where a launch is short, since something else often comes in between.
  constexpr int kTurns = 7, kChecked = 3;
  constexpr double kSeconds = 1;
  double spent = 0;
  for (int i = 0; i < kTurns || spent < kSeconds; ++i) {
    request.observer = nullptr;
    m.seconds = std::min(m.seconds, run_once(request, m.instructions));
    request.observer = &counting;
    const double counted = run_once(request, m.instructions);
    m.counting_seconds = std::min(m.counting_seconds, counted);
    spent += counted;
    if (i >= kChecked) continue;
    request.observer = &checking;
    m.checking_seconds = std::min(m.checking_seconds, run_once(request, m.instructions));
  }
  return m;
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
  const bool memory_only = argc > 1 && std::string_view(argv[1]) == "--memory";
  const char* path = argc > 1 && !memory_only ? argv[1] : WARPLADDER_BENCH_PTX;
  std::vector<std::shared_ptr<const emu::ptx::Module>> modules{emu::ptx::parse(read_file(path))};
  const Program program(modules, 0);
  if (memory_only) return bench::print_memory_costs(program, 1 << 20) ? 0 : 1;
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
  std::printf("\n");
  return bench::print_memory_costs(program, 1 << 24) ? 0 : 1;
}
