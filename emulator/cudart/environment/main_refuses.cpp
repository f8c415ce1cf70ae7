// SPDX-License-Identifier: MIT
// The test that the library refuses to run where a compiler has broken the engine: one instruction
// gets a wrong handler before the first call. A program of its own, because the library looks once.
#include <algorithm>
#include <cstdio>
#include <string>

#include "cudart/environment/startup.hpp"
#include "ptx/module.hpp"
#include "support/captured.hpp"

namespace {

using namespace emu;

void does_nothing(exec::Warp&, const exec::Instr&, exec::LaneMask) {}

int failures = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  cudart::self_check_substitute = [](const ptx::Instruction& ins, exec::Handler handler) {
    return ins.text.starts_with("mul.wide.s32") ? &does_nothing : handler;
  };
  void* memory = nullptr;
  cudaError_t first = cudaSuccess, second = cudaSuccess;
  const std::string said = support::captured(stderr, [&] {
    first = cudaMalloc(&memory, 16);
    second = cudaDeviceSynchronize();
  });
  std::fputs(said.c_str(), stdout);
  check(first == cudaErrorInitializationError, "the first call fails");
  check(second == cudaErrorInitializationError, "the next call fails, too");
  check(memory == nullptr, "nothing was allocated");
  check(said.starts_with("warp-ladder emulator: this build of the emulator computes mul.wide.s32 "),
        "the line names the instruction");
  check(std::count(said.begin(), said.end(), '\n') == 1, "it is one line, said once");
  return failures != 0;
}
