// SPDX-License-Identifier: MIT
// Launches that must fail fail with the error a real H200 gave under CUDA 13.0; the others run.
#include <string>

#include "cudart/loading/fake_program.test.hpp"
#include "support/captured.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

const char* const kText = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .entry plain(.param .u32 a) { ret; }
.visible .entry store(.param .u64 p, .param .u32 v)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [v];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], %r1;
  ret;
}
.visible .entry bounded(.param .u32 a) .maxntid 128, 1, 1 { ret; }
.visible .entry exact(.param .u32 a) .reqntid 64, 1, 1 { ret; }
.visible .entry clustered(.param .u32 a) .reqnctapercluster 4, 1, 1 { ret; }
.visible .entry big_static(.param .u32 a)
{
  .shared .align 4 .b8 s[40960];
  .reg .b32 %r<2>;
  mov.u32 %r1, 0;
  st.shared.u32 [s], %r1;
  ret;
}
.visible .entry crash(.param .u32 a) { trap; }
)";

struct Fixture {
  Fixture() {
    program.kernel(&plain, "plain");
    program.kernel(&store, "store");
    program.kernel(&bounded, "bounded");
    program.kernel(&exact, "exact");
    program.kernel(&clustered, "clustered");
    program.kernel(&big_static, "big_static");
    program.kernel(&crash, "crash");
    program.kernel(&missing, "missing");
    __cudaRegisterVar(program.handle, &counter, nullptr, "counter", 0, 4, 0, 0);
    cudaGetLastError();
  }
  ~Fixture() { cudaDeviceReset(); }

  cudaError_t launch(const void* kernel, dim3 grid, dim3 block, size_t shared = 0) {
    return cudaLaunchKernel(kernel, grid, block, args, shared, nullptr);
  }
  cudaError_t cooperative(const void* kernel, dim3 grid, dim3 block, size_t shared = 0) {
    return cudaLaunchCooperativeKernel(kernel, grid, block, args, shared, nullptr);
  }
  cudaError_t with(const void* kernel, dim3 grid, cudaLaunchAttribute attribute) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, kernel, args);
  }
  cudaError_t cluster(const void* kernel, dim3 grid, dim3 size) {
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = size.x;
    a.val.clusterDim.y = size.y;
    a.val.clusterDim.z = size.z;
    return with(kernel, grid, a);
  }

  FakeProgram program{{kText}};
  char plain, store, bounded, exact, clustered, big_static, crash, missing, counter;
  int argument = 1;
  void* args[1] = {&argument};
};

}  // namespace

TEST_CASE_METHOD(Fixture, "launch: a shape that cannot be is cudaErrorInvalidValue") {
  REQUIRE(launch(&plain, 0, 1) == cudaErrorInvalidValue);
  REQUIRE(launch(&plain, 1, 0) == cudaErrorInvalidValue);
  REQUIRE(launch(&plain, 1, 1025) == cudaErrorInvalidValue);
  REQUIRE(launch(&plain, 1, dim3(64, 17)) == cudaErrorInvalidValue);
  REQUIRE(launch(&plain, 1, dim3(1, 1, 65)) == cudaErrorInvalidValue);
  REQUIRE(launch(&plain, dim3(1u << 31), 1) == cudaErrorInvalidValue);
  REQUIRE(launch(&plain, dim3(1, 65536), 1) == cudaErrorInvalidValue);
  REQUIRE(launch(&plain, dim3(1, 1, 65536), 1) == cudaErrorInvalidValue);
  REQUIRE(launch(&bounded, 1, 129) == cudaErrorInvalidValue);
  REQUIRE(launch(&exact, 1, 32) == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(launch(&plain, 2, 1024) == cudaSuccess);
  REQUIRE(launch(&bounded, 1, 128) == cudaSuccess);
  REQUIRE(launch(&exact, 1, 64) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE_METHOD(Fixture, "launch: dynamic shared memory over 48 KiB needs the attribute") {
  REQUIRE(launch(&plain, 1, 1, 49152) == cudaSuccess);
  REQUIRE(launch(&plain, 1, 1, 49153) == cudaErrorInvalidValue);
  REQUIRE(launch(&big_static, 1, 1, 8192) == cudaSuccess);
  REQUIRE(launch(&big_static, 1, 1, 8193) == cudaErrorInvalidValue);
  const auto max = cudaFuncAttributeMaxDynamicSharedMemorySize;
  REQUIRE(cudaFuncSetAttribute(&plain, max, 232449) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(&plain, max, -1) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(&big_static, max, 232448 - 40959) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(&big_static, max, 232448 - 40960) == cudaSuccess);
  REQUIRE(cudaFuncSetAttribute(&plain, max, 232448) == cudaSuccess);
  REQUIRE(launch(&plain, 1, 1, 232448) == cudaSuccess);
  REQUIRE(launch(&plain, 1, 1, 232449) == cudaErrorInvalidValue);
}

TEST_CASE_METHOD(Fixture, "launch: what is no kernel is told apart") {
  REQUIRE(launch(nullptr, 1, 1) == cudaErrorInvalidDeviceFunction);
  REQUIRE(launch(&argument, 1, 1) == cudaErrorInvalidResourceHandle);
  REQUIRE(launch(&missing, 1, 1) == cudaErrorInvalidDeviceFunction);
  REQUIRE(cudaLaunchKernel(&plain, 1, 1, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  cudaKernel_t kernel = nullptr;
  REQUIRE(__cudaGetKernel(&kernel, &argument) == cudaErrorInvalidDeviceFunction);
  REQUIRE(__cudaGetKernel(&kernel, &plain) == cudaSuccess);
  REQUIRE(__cudaLaunchKernel(kernel, 1, 1, args, 0, nullptr) == cudaSuccess);
  REQUIRE(cudaLaunchKernel(kernel, 1, 1, args, 0, nullptr) == cudaSuccess);
}

TEST_CASE_METHOD(Fixture, "launch: clusters must be allowed and divide the grid") {
  REQUIRE(launch(&clustered, 8, 1) == cudaSuccess);
  REQUIRE(launch(&clustered, 7, 1) == cudaErrorInvalidClusterSize);
  REQUIRE(launch(&clustered, 0, 1) == cudaErrorInvalidValue);
  REQUIRE(cluster(&clustered, 8, dim3(4)) == cudaSuccess);
  REQUIRE(cluster(&clustered, 8, dim3(2)) == cudaErrorInvalidClusterSize);
  REQUIRE(cluster(&plain, 9, dim3(3)) == cudaSuccess);
  REQUIRE(cluster(&plain, 8, dim3(3)) == cudaErrorInvalidClusterSize);
  REQUIRE(cluster(&plain, 8, dim3(0)) == cudaErrorInvalidClusterSize);
  REQUIRE(cluster(&plain, 8, dim3(2, 2)) == cudaErrorInvalidClusterSize);
  REQUIRE(cluster(&plain, 16, dim3(16)) == cudaErrorInvalidClusterSize);
  REQUIRE(cudaFuncSetAttribute(&plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
          cudaSuccess);
  REQUIRE(cluster(&plain, 16, dim3(16)) == cudaSuccess);
  REQUIRE(cluster(&plain, 32, dim3(32)) == cudaErrorInvalidClusterSize);
}

TEST_CASE_METHOD(Fixture, "launch: a cooperative grid must fit on the GPU at once") {
  REQUIRE(cooperative(&plain, 132 * 2, 1024) == cudaSuccess);
  REQUIRE(cooperative(&plain, 132 * 2 + 1, 1024) == cudaErrorCooperativeLaunchTooLarge);
  REQUIRE(cooperative(&plain, 1, 1, 49153) == cudaErrorCooperativeLaunchTooLarge);
  REQUIRE(cooperative(&plain, 1, 1025) == cudaErrorInvalidValue);
  REQUIRE(cooperative(nullptr, 1, 1) == cudaErrorInvalidDeviceFunction);
}

TEST_CASE_METHOD(Fixture, "launch: attributes are obeyed, harmless or refused as on a GPU") {
  const auto attribute = [&](int id) {
    cudaLaunchAttribute a = {};
    a.id = static_cast<cudaLaunchAttributeID>(id);
    return with(&plain, 1, a);
  };
  for (int id : {0, 1, 2, 5, 6, 8, 9, 10, 11, 14, 16}) {
    INFO(id);
    REQUIRE(attribute(id) == cudaSuccess);
  }
  for (int id : {3, 15, 17, 40}) {
    INFO(id);
    REQUIRE(attribute(id) == cudaErrorInvalidValue);
  }
  REQUIRE(attribute(7) == cudaErrorInvalidResourceHandle);
  REQUIRE(attribute(12) == cudaErrorInvalidResourceHandle);
  REQUIRE(attribute(13) == cudaErrorNotSupported);
}

TEST_CASE_METHOD(Fixture,
                 "launch: arguments reach the kernel and a variable is found by its shadow") {
  void* address = nullptr;
  REQUIRE(cudaGetSymbolAddress(&address, &counter) == cudaSuccess);
  int value = 0;
  REQUIRE(cudaMemcpyFromSymbol(&value, &counter, 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(value == 7);
  int wanted = 42;
  void* two[] = {&address, &wanted};
  REQUIRE(cudaLaunchKernel(&store, 1, 1, two, 0, nullptr) == cudaSuccess);
  REQUIRE(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(value == 42);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  REQUIRE(cudaMemcpyFromSymbol(&value, &counter, 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(value == 7);
}

TEST_CASE_METHOD(Fixture, "launch: a kernel's failure shows at the next waiting call and stays") {
  REQUIRE(launch(&crash, 1, 1) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  REQUIRE(launch(&plain, 1, 1) == cudaErrorLaunchFailure);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  REQUIRE(launch(&plain, 1, 1) == cudaSuccess);
}

TEST_CASE("launch: nested configurations come back in reverse order") {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) ==
          cudaErrorMissingConfiguration);
  REQUIRE(__cudaPushCallConfiguration(dim3(1), dim3(2), 3, nullptr) == 0);
  REQUIRE(__cudaPushCallConfiguration(dim3(4), dim3(5), 6, nullptr) == 0);
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
  REQUIRE((grid.x == 4 && block.x == 5 && shared == 6));
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
  REQUIRE((grid.x == 1 && block.x == 2 && shared == 3));
  cudaGetLastError();
}

namespace {

// Writes, then calls a function by its address; the function holds what nobody knows.
const char* const kReachedByPointer = R"(
.version 9.0
.target sm_90
.address_size 64
.func strange() { nonsense.b32; ret; }
.global .align 8 .u64 table[1] = {strange};
.visible .entry writes_first(.param .u64 p)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, 5;
  st.global.u32 [%rd1], %r1;
  ld.global.u64 %rd2, [table];
  P: .callprototype _ ();
  call %rd2, (), P;
  ret;
}
.visible .entry unknown(.param .u64 p) { nonsense.b32; ret; }
.visible .entry plain(.param .u64 p) { ret; }
)";

struct Unsupported {
  Unsupported() {
    program.kernel(&writes_first, "writes_first");
    program.kernel(&unknown, "unknown");
    program.kernel(&plain, "plain");
    cudaGetLastError();
    REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  }
  ~Unsupported() { cudaDeviceReset(); }
  cudaError_t launch(const void* kernel) {
    return cudaLaunchKernel(kernel, 1, 1, args, 0, nullptr);
  }
  FakeProgram program{{kReachedByPointer}};
  char writes_first, unknown, plain;
  void* memory = nullptr;
  void* args[1] = {&memory};
};

}  // namespace

TEST_CASE_METHOD(Unsupported, "launch: what is not supported shows at the next wait as well") {
  REQUIRE(launch(&unknown) == cudaErrorNotSupported);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorNotSupported);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);  // nothing had run: the device is as it was
  REQUIRE(launch(&unknown) == cudaErrorNotSupported);
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaErrorNotSupported);
  REQUIRE(launch(&unknown) == cudaErrorNotSupported);
  REQUIRE(cudaGetLastError() == cudaErrorNotSupported);  // the program has looked
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(launch(&plain) == cudaSuccess);
}

TEST_CASE_METHOD(Unsupported, "launch: memory is not half written without a failure that stays") {
  // Either nothing runs, or the device has failed: its memory may have been changed.
  std::string said;
  cudaError_t launched = cudaSuccess;
  said = support::captured(stderr, [&] { launched = launch(&writes_first); });
  CHECK(said.find("nonsense") != std::string::npos);
  const cudaError_t waited = cudaDeviceSynchronize();
  REQUIRE(waited != cudaSuccess);
  if (launched == cudaSuccess) {
    CHECK(said.find("what it wrote before stays written") != std::string::npos);
    REQUIRE(cudaDeviceSynchronize() == waited);
    REQUIRE(cudaMemset(memory, 0, 4) == waited);
    REQUIRE(launch(&plain) == waited);
  } else {
    REQUIRE(launched == cudaErrorNotSupported);
  }
}
