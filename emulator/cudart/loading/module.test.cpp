// SPDX-License-Identifier: MIT
// Programs that cannot be used, programs of several parts, and managed variables.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "cudart/loading/fake_program.test.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

cudaError_t launch(const void* kernel) {
  return cudaLaunchKernel(kernel, 1, 1, nullptr, 0, nullptr);
}

}  // namespace

TEST_CASE(
    "module: a program without usable PTX gives cudaErrorNoKernelImageForDevice and goes on") {
  char stub, shadow;
  const std::uint16_t kind =
      GENERATE(std::uint16_t{1}, std::uint16_t{2});  // PTX for a later GPU; machine code only
  FakeProgram program({kHead + ".visible .entry k() { ret; }"}, 100, kind);
  program.kernel(&stub, "k");
  __cudaRegisterVar(program.handle, &shadow, nullptr, "v", 0, 4, 0, 0);
  REQUIRE(launch(&stub) == cudaErrorNoKernelImageForDevice);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, &stub) == cudaErrorNoKernelImageForDevice);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  REQUIRE(cudaGetLastError() == cudaErrorNoKernelImageForDevice);
}

TEST_CASE("module: PTX that cannot be parsed or linked is cudaErrorInvalidPtx, not a crash") {
  char stub;
  const std::string text = GENERATE(as<std::string>{}, "this is no PTX",
                                    kHead + ".extern .func f;\n.visible .entry k() {");
  FakeProgram program({text});
  program.kernel(&stub, "k");
  REQUIRE(launch(&stub) == cudaErrorInvalidPtx);
  REQUIRE(launch(&stub) == cudaErrorInvalidPtx);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cudaGetLastError();
}

#ifndef __SANITIZE_ADDRESS__  // whose allocator ends the process
TEST_CASE("module: a program for which there was no memory is loaded when there is", "[vast]") {
  char stub;
  // More than malloc takes from what was freed before.
  FakeProgram program({kHead + ".visible .entry k() { ret; }" + std::string(40u << 20, ' ')});
  program.kernel(&stub, "k");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::size_t now = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const rlimit little{now + (8u << 20), before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &little) == 0);
  const cudaError_t first = launch(&stub), second = launch(&stub);
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  REQUIRE(first == cudaErrorMemoryAllocation);
  REQUIRE(second == cudaErrorMemoryAllocation);
  cudaGetLastError();
  REQUIRE(launch(&stub) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}
#endif

TEST_CASE(
    "module: an unknown instruction stops its own kernel with cudaErrorNotSupported and no other") {
  char bad, good;
  FakeProgram program(
      {kHead + ".visible .entry bad() { nonsense.b32; ret; }\n.visible .entry good() { ret; }"});
  program.kernel(&bad, "bad");
  program.kernel(&good, "good");
  REQUIRE(launch(&bad) == cudaErrorNotSupported);
  REQUIRE(cudaGetLastError() == cudaErrorNotSupported);
  REQUIRE(launch(&good) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("module: the parts of a relocatable program see each other's functions and variables") {
  char stub, shadow;
  FakeProgram program({kHead + ".extern .global .align 4 .u32 total;\n.extern .func "
                               "add_two();\n.visible .entry k() { call.uni add_two; ret; }",
                       kHead + ".visible .global .align 4 .u32 total = 5;\n.visible .func "
                               "add_two() {\n.reg .b32 %r<3>;\n"
                               "ld.global.u32 %r1, [total];\nadd.u32 %r2, %r1, 2;\nst.global.u32 "
                               "[total], %r2;\nret; }"});
  program.kernel(&stub, "k");
  __cudaRegisterVar(program.handle, &shadow, nullptr, "total", 0, 4, 0, 0);
  REQUIRE(launch(&stub) == cudaSuccess);
  int total = 0;
  REQUIRE(cudaMemcpyFromSymbol(&total, &shadow, 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(total == 7);
}

TEST_CASE("module: the host has its managed variables before the first launch") {
  int* pointer = nullptr;
  FakeProgram program({kHead + ".visible .global .attribute(.managed) .align 4 .u32 m = 9;"});
  __cudaRegisterManagedVar(program.handle, reinterpret_cast<void**>(&pointer), nullptr, "m", 0, 4,
                           0, 0);
  REQUIRE(__cudaInitModule(program.handle) != 0);
  REQUIRE(pointer != nullptr);
  REQUIRE(*pointer == 9);
  *pointer = 3;
  void* address = nullptr;
  REQUIRE(cudaGetSymbolAddress(&address, pointer) == cudaSuccess);
  REQUIRE(address == pointer);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  REQUIRE(*pointer == 9);
}

TEST_CASE("module: a managed variable of a broken program is still memory") {
  int* pointer = nullptr;
  FakeProgram program({"this is no PTX"});
  __cudaRegisterManagedVar(program.handle, reinterpret_cast<void**>(&pointer), nullptr, "m", 0, 4,
                           0, 0);
  __cudaInitModule(program.handle);
  REQUIRE(pointer != nullptr);
  REQUIRE(*pointer == 0);
}

TEST_CASE("module: an unregistered program's kernels are unknown") {
  char stub;
  {
    FakeProgram program({kHead + ".visible .entry k() { ret; }"});
    program.kernel(&stub, "k");
    REQUIRE(launch(&stub) == cudaSuccess);
  }
  REQUIRE(launch(&stub) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}
