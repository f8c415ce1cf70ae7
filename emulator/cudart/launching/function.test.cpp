// SPDX-License-Identifier: MIT
// Attributes, names, parameters and occupancy of kernels through the API.
#include "cudart/loading/fake_program.test.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

const char* const kText = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry plain(.param .u64 p, .param .u8 c, .param .align 8 .b8 s[24]) { ret; }
.visible .entry bounded() .maxntid 128, 1, 1 { ret; }
.visible .entry clustered() .reqnctapercluster 4, 1, 1 { ret; }
.visible .entry big_static()
{
  .shared .align 4 .b8 s[40960];
  .reg .b32 %r<2>;
  mov.u32 %r1, 0;
  st.shared.u32 [s], %r1;
  ret;
}
)";

struct Fixture {
  Fixture() {
    program.kernel(&plain, "plain");
    program.kernel(&bounded, "bounded");
    program.kernel(&clustered, "clustered");
    program.kernel(&big_static, "big_static");
  }
  ~Fixture() { cudaGetLastError(); }
  cudaFuncAttributes attributes(const void* kernel) {
    cudaFuncAttributes a;
    REQUIRE(cudaFuncGetAttributes(&a, kernel) == cudaSuccess);
    return a;
  }
  FakeProgram program{{kText}};
  char plain, bounded, clustered, big_static, other;
};

}  // namespace

TEST_CASE_METHOD(Fixture, "function: attributes are those of the PTX and the modelled GPU") {
  const auto a = attributes(&plain);
  REQUIRE(a.maxThreadsPerBlock == 1024);
  REQUIRE(a.ptxVersion == 90);
  REQUIRE(a.binaryVersion == 90);
  REQUIRE(a.maxDynamicSharedSizeBytes == 49152);
  REQUIRE(a.preferredShmemCarveout == -1);
  REQUIRE(a.clusterDimMustBeSet == 0);
  REQUIRE(a.numRegs <= 64);
  REQUIRE(attributes(&bounded).maxThreadsPerBlock == 128);
  REQUIRE(attributes(&big_static).sharedSizeBytes == 40960);
  REQUIRE(attributes(&big_static).maxDynamicSharedSizeBytes == 8192);
  const auto c = attributes(&clustered);
  REQUIRE(c.clusterDimMustBeSet == 1);
  REQUIRE(
      (c.requiredClusterWidth == 4 && c.requiredClusterHeight == 1 && c.requiredClusterDepth == 1));
}

TEST_CASE_METHOD(Fixture, "function: attributes that are set are read back, wrong values refused") {
  REQUIRE(cudaFuncSetAttribute(&plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50) ==
          cudaSuccess);
  REQUIRE(cudaFuncSetAttribute(&plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101) ==
          cudaErrorInvalidValue);
  REQUIRE(attributes(&plain).preferredShmemCarveout == 50);
  REQUIRE(cudaFuncSetAttribute(&plain, cudaFuncAttributeClusterDimMustBeSet, 1) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(&clustered, cudaFuncAttributeRequiredClusterWidth, 2) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(&plain, cudaFuncAttributeRequiredClusterWidth, 2) == cudaSuccess);
  REQUIRE(attributes(&plain).requiredClusterWidth == 2);
  REQUIRE(cudaFuncSetAttribute(&plain, static_cast<cudaFuncAttribute>(16), 1) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1) ==
          cudaErrorInvalidDeviceFunction);
  REQUIRE(cudaFuncSetCacheConfig(&plain, cudaFuncCachePreferL1) == cudaSuccess);
  REQUIRE(cudaFuncSetCacheConfig(&plain, static_cast<cudaFuncCache>(9)) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetCacheConfig(&other, cudaFuncCachePreferL1) == cudaErrorInvalidResourceHandle);
}

TEST_CASE_METHOD(Fixture, "function: names, parameters and handles") {
  const char* name = nullptr;
  REQUIRE(cudaFuncGetName(&name, &plain) == cudaSuccess);
  REQUIRE(std::string(name) == "plain");
  size_t offset = 9, size = 9;
  REQUIRE(cudaFuncGetParamInfo(&plain, 1, &offset, &size) == cudaSuccess);
  REQUIRE((offset == 8 && size == 1));
  REQUIRE(cudaFuncGetParamInfo(&plain, 2, &offset, &size) == cudaSuccess);
  REQUIRE((offset == 16 && size == 24));
  REQUIRE(cudaFuncGetParamInfo(&plain, 3, &offset, &size) == cudaErrorInvalidValue);
  cudaKernel_t kernel = nullptr;
  REQUIRE(cudaGetKernel(&kernel, &plain) == cudaSuccess);
  cudaFunction_t function = nullptr;
  REQUIRE(cudaGetFuncBySymbol(&function, &plain) == cudaSuccess);
  REQUIRE(cudaGetFuncBySymbol(&function, &other) == cudaErrorInvalidDeviceFunction);
  REQUIRE(cudaGetKernel(&kernel, &other) == cudaErrorInvalidDeviceFunction);
}

TEST_CASE_METHOD(Fixture, "function: occupancy through the API") {
  int blocks = -1;
  const auto active = [&](const void* f, int threads, size_t shared) {
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, shared) ==
            cudaSuccess);
    return blocks;
  };
  REQUIRE(active(&plain, 256, 0) == 8);
  REQUIRE(active(&plain, 1025, 0) == 0);
  REQUIRE(active(&plain, 128, 49152) == 4);
  REQUIRE(active(&plain, 128, 49153) == 0);
  REQUIRE(active(&big_static, 256, 0) == 5);
  REQUIRE(active(&bounded, 256, 0) == 8);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plain, 0, 0) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &plain, 1, 0, 7) ==
          cudaErrorInvalidValue);

  size_t bytes = 0;
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &plain, 1, 64) == cudaSuccess);
  REQUIRE(bytes == 49152);
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &plain, 8, 64) == cudaSuccess);
  REQUIRE(bytes == 29184);
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &big_static, 4, 256) == cudaSuccess);
  REQUIRE(bytes == 8192);
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &plain, 4, 1024) ==
          cudaErrorInvalidValue);
}

TEST_CASE_METHOD(Fixture, "function: cluster queries know the portable size") {
  cudaLaunchAttribute a = {};
  a.id = cudaLaunchAttributeClusterDimension;
  a.val.clusterDim.x = 2;
  a.val.clusterDim.y = a.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(64);
  config.blockDim = dim3(256);
  config.attrs = &a;
  config.numAttrs = 1;
  int value = 0;
  REQUIRE(cudaOccupancyMaxActiveClusters(&value, &plain, &config) == cudaSuccess);
  REQUIRE(value == 528);
  REQUIRE(cudaOccupancyMaxPotentialClusterSize(&value, &plain, &config) == cudaSuccess);
  REQUIRE(value == 8);
  a.val.clusterDim.x = 16;
  REQUIRE(cudaOccupancyMaxActiveClusters(&value, &plain, &config) == cudaErrorInvalidClusterSize);
}
