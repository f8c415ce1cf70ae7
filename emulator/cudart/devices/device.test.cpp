// SPDX-License-Identifier: MIT
// The device calls, on the default GPU (one H200).
#include <cstring>
#include <string>

#include "cudart/devices/attributes.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

TEST_CASE("device: there is one device and its name tells what it is") {
  int count = 0, device = -1;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  REQUIRE(count == 1);
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  REQUIRE(device == 0);
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  REQUIRE(std::string(p.name) == "NVIDIA H200 (Warp Ladder emulator)");
  REQUIRE((p.major == 9 && p.minor == 0));
  REQUIRE(p.multiProcessorCount == 132);
  REQUIRE(p.totalGlobalMem == 150109880320u);
  REQUIRE(p.sharedMemPerBlockOptin == 232448u);
  REQUIRE(p.warpSize == 32);
  REQUIRE(p.maxGridSize[0] == 2147483647);
  REQUIRE(p.l2CacheSize == 62914560);
  REQUIRE(p.cooperativeLaunch == 1);
  REQUIRE(p.clusterLaunch == 1);
}

TEST_CASE("device: a device that is not there is cudaErrorInvalidDevice") {
  cudaDeviceProp p;
  int value = 0;
  REQUIRE(cudaSetDevice(1) == cudaErrorInvalidDevice);
  REQUIRE(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  REQUIRE(cudaGetDeviceProperties(&p, 3) == cudaErrorInvalidDevice);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
  REQUIRE(cudaInitDevice(5, 0, 0) == cudaErrorInvalidDevice);
  REQUIRE(cudaInitDevice(0, 0, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) ==
          cudaErrorInvalidDevice);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("device: every attribute of the enum has a value, others are cudaErrorInvalidValue") {
  int known = 0;
  for (int id = -1; id < 200; ++id) {
    int value = -7;
    const cudaError_t error = cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(id), 0);
    REQUIRE((error == cudaSuccess || error == cudaErrorInvalidValue));
    known += error == cudaSuccess;
  }
  int rows = 0;
#define ATTRIBUTE(name, value) ++rows;
#include "cudart/devices/attributes.def"
#undef ATTRIBUTE
  REQUIRE(known == rows);
  REQUIRE(rows == 137);
  int value = 0;
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("device: properties of a GPU without clusters or opt-in come from its profile") {
  const auto p = device_properties(*emu::devices::find("t4"), 2);
  REQUIRE(std::string(p.name) == "Tesla T4 (Warp Ladder emulator, times not calibrated)");
  REQUIRE(p.clusterLaunch == 0);
  REQUIRE(p.maxThreadsPerMultiProcessor == 1024);
  REQUIRE(p.pciBusID == 3);
  REQUIRE(p.reservedSharedMemPerBlock == 0);
  REQUIRE(p.accessPolicyMaxWindowSize == 0);
}

TEST_CASE("device: limits are rounded and bounded as a GPU does") {
  size_t value = 0;
  const auto after = [&](cudaLimit limit, size_t set) {
    REQUIRE(cudaDeviceSetLimit(limit, set) == cudaSuccess);
    REQUIRE(cudaDeviceGetLimit(&value, limit) == cudaSuccess);
    return value;
  };
  REQUIRE(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  REQUIRE(value == 1024);
  REQUIRE(after(cudaLimitStackSize, 1000) == 1008);
  REQUIRE(after(cudaLimitPrintfFifoSize, 1000) == 524288);
  REQUIRE(after(cudaLimitPrintfFifoSize, 3000000) == 3000064);
  REQUIRE(after(cudaLimitMallocHeapSize, 100) == 4194304);
  REQUIRE(cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024) == cudaErrorInvalidValue);
  REQUIRE(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2) == cudaErrorUnsupportedLimit);
  REQUIRE(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(7)) == cudaErrorInvalidValue);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  REQUIRE(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  REQUIRE(value == 1024);
}

TEST_CASE("device: the PCI bus id names the device and leads back to it") {
  char text[16];
  int device = -1;
  REQUIRE(cudaDeviceGetPCIBusId(text, 5, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaDeviceGetPCIBusId(text, sizeof text, 0) == cudaSuccess);
  REQUIRE(std::string(text) == "0000:01:00.0");
  REQUIRE(cudaDeviceGetByPCIBusId(&device, text) == cudaSuccess);
  REQUIRE(device == 0);
  REQUIRE(cudaDeviceGetByPCIBusId(&device, "0000:77:00.0") == cudaErrorInvalidDevice);
  REQUIRE(cudaDeviceGetByPCIBusId(&device, "zz") == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("device: versions, priorities, flags and cache settings") {
  int version = 0, least = 1, greatest = 1;
  REQUIRE(cudaRuntimeGetVersion(&version) == cudaSuccess);
  REQUIRE(version == 13000);
  REQUIRE(cudaDriverGetVersion(&version) == cudaSuccess);
  REQUIRE(version == 13000);
  REQUIRE(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  REQUIRE((least == 0 && greatest == -5));
  unsigned flags = 0;
  REQUIRE(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) == cudaSuccess);
  REQUIRE(cudaGetDeviceFlags(&flags) == cudaSuccess);
  REQUIRE(flags == (cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
  REQUIRE(cudaSetDeviceFlags(0x100) == cudaErrorInvalidValue);
  cudaFuncCache cache;
  REQUIRE(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
  REQUIRE(cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
  REQUIRE(cache == cudaFuncCachePreferL1);
  int device = -1;
  cudaDeviceProp wish;
  std::memset(&wish, 0, sizeof wish);
  REQUIRE(cudaChooseDevice(&device, &wish) == cudaSuccess);
  REQUIRE(device == 0);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
}
