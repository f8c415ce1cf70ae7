// SPDX-License-Identifier: MIT
// Allocation, copies and fills. What each call returns was compared with an H200.
#include <cstring>
#include <numeric>
#include <vector>

#include "cudart/environment/startup.hpp"
#include "memory/address_space.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

struct DeviceMemory {
  explicit DeviceMemory(std::size_t size) { REQUIRE(cudaMalloc(&pointer, size) == cudaSuccess); }
  ~DeviceMemory() { cudaFree(pointer); }
  char* at(std::size_t offset = 0) const { return static_cast<char*>(pointer) + offset; }
  void* pointer = nullptr;
};

std::vector<unsigned char> counted(std::size_t n) {
  std::vector<unsigned char> v(n);
  std::iota(v.begin(), v.end(), static_cast<unsigned char>(1));
  return v;
}

}  // namespace

TEST_CASE("an allocation of no bytes is a null pointer, and null can be freed") {
  void* p = &p;
  CHECK(cudaMalloc(&p, 0) == cudaSuccess);
  CHECK(p == nullptr);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
}

TEST_CASE("more than the device has left is cudaErrorMemoryAllocation") {
  void* p = nullptr;
  CHECK(cudaMalloc(&p, ~std::size_t{0}) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&p, profile(0).global_memory_bytes + 1) == cudaErrorMemoryAllocation);
  cudaGetLastError();
}

TEST_CASE("cudaMemGetInfo counts what is allocated") {
  std::size_t before = 0, after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  CHECK(total == profile(0).global_memory_bytes);
  {
    DeviceMemory memory(1 << 20);
    REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
    CHECK(before - after == std::size_t{1} << 20);
  }
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(before == after);
}

TEST_CASE("cudaFree refuses what it did not allocate") {
  DeviceMemory memory(64);
  int local = 0;
  CHECK(cudaFree(&local) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory.at(4)) == cudaErrorInvalidValue);
  void* p = nullptr;
  REQUIRE(cudaMalloc(&p, 16) == cudaSuccess);
  CHECK(cudaFree(p) == cudaSuccess);
  CHECK(cudaFree(p) == cudaErrorInvalidValue);
  void* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 16) == cudaSuccess);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(memory.pointer) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("cudaMemcpy carries bytes to the device and back") {
  DeviceMemory a(256), b(256);
  auto in = counted(256);
  std::vector<unsigned char> out(256);
  CHECK(cudaMemcpy(a.pointer, in.data(), 256, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(b.pointer, a.pointer, 256, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(out.data(), b.pointer, 256, cudaMemcpyDefault) == cudaSuccess);
  CHECK(in == out);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
}

TEST_CASE("a copy past the end of an allocation is refused") {
  DeviceMemory memory(64);
  std::vector<char> host(128);
  CHECK(cudaMemcpy(memory.pointer, host.data(), 65, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), memory.at(1), 64, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyAsync(memory.pointer, host.data(), 65, cudaMemcpyHostToDevice, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemset(memory.pointer, 0, 65) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a null or freed pointer is refused") {
  char host[16] = {};
  void* p = nullptr;
  REQUIRE(cudaMalloc(&p, 16) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(p, nullptr, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(p) == cudaSuccess);
  CHECK(cudaMemcpy(p, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset(p, 0, 16) == cudaErrorInvalidValue);
  CHECK(cudaMemset(host, 0, 16) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("the device side of a direction must be device memory; the host side may be either") {
  DeviceMemory a(64), b(64);
  char host[64] = {};
  CHECK(cudaMemcpy(host, host + 32, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, a.pointer, 16, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a.pointer, host, 16, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a.pointer, b.pointer, 16, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(a.pointer, host, 16, static_cast<cudaMemcpyKind>(7)) ==
        cudaErrorInvalidMemcpyDirection);
  cudaGetLastError();
}

TEST_CASE("cudaMemcpy2D copies rows and leaves the padding alone") {
  void* p = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&p, &pitch, 10, 3) == cudaSuccess);
  CHECK(pitch == 512);
  REQUIRE(cudaMemset(p, 0xee, pitch * 3) == cudaSuccess);
  auto in = counted(30);
  REQUIRE(cudaMemcpy2D(p, pitch, in.data(), 10, 10, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<unsigned char> out(30), all(pitch * 3);
  REQUIRE(cudaMemcpy2D(out.data(), 10, p, pitch, 10, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(all.data(), p, all.size(), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(in == out);
  CHECK(all[10] == 0xee);
  CHECK(all[pitch] == 11);
  CHECK(cudaMemcpy2D(p, 8, in.data(), 10, 10, 3, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(p, 8, 0, 10, 3) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(p, pitch, 7, 2, 3) == cudaSuccess);
  REQUIRE(cudaMemcpy(all.data(), p, all.size(), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(all[2 * pitch + 1] == 7);
  CHECK(all[2 * pitch + 2] == 23);
  CHECK(cudaFree(p) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("cudaMemcpy3D copies a box at positions") {
  cudaPitchedPtr box{};
  REQUIRE(cudaMalloc3D(&box, cudaExtent{8, 4, 3}) == cudaSuccess);
  CHECK(box.pitch == 512);
  REQUIRE(cudaMemset3D(box, 0, cudaExtent{8, 4, 3}) == cudaSuccess);
  auto in = counted(8);
  cudaMemcpy3DParms p{};
  p.srcPtr = cudaPitchedPtr{in.data(), 2, 2, 2};
  p.dstPtr = box;
  p.dstPos = cudaPos{3, 1, 1};
  p.extent = cudaExtent{2, 2, 2};
  p.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&p) == cudaSuccess);
  std::vector<unsigned char> all(512 * 4 * 3);
  REQUIRE(cudaMemcpy(all.data(), box.ptr, all.size(), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(all[512 * 4 + 512 + 3] == 1);
  CHECK(all[512 * 4 + 512 * 2 + 4] == 4);
  CHECK(all[512 * 8 + 512 * 2 + 4] == 8);
  CHECK(all[512 * 4 + 512 + 2] == 0);
  p.dstPos.z = 2;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  CHECK(cudaFree(box.ptr) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("pinned and managed memory has one address for host and device") {
  int* pinned = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&pinned), 64, cudaHostAllocMapped) == cudaSuccess);
  pinned[3] = 42;
  void* device = nullptr;
  CHECK(cudaHostGetDevicePointer(&device, pinned, 0) == cudaSuccess);
  CHECK(device == pinned);
  DeviceMemory memory(64);
  int back = 0;
  CHECK(cudaMemcpy(memory.pointer, pinned, 64, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(&back, memory.at(12), 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == 42);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, pinned) == cudaSuccess);
  CHECK(flags == cudaHostAllocMapped);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  int* managed = nullptr;
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&managed), 64, cudaMemAttachGlobal) ==
          cudaSuccess);
  CHECK(cudaMemset(managed, 0, 64) == cudaSuccess);
  CHECK(managed[5] == 0);
  CHECK(cudaFree(managed) == cudaSuccess);
}

TEST_CASE("registered host memory can be registered once") {
  std::vector<char> host(4096);
  CHECK(cudaHostRegister(host.data(), host.size(), 0) == cudaSuccess);
  CHECK(cudaHostRegister(host.data() + 8, 16, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(host.data() + 8) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(host.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(host.data()) == cudaErrorHostMemoryNotRegistered);
  cudaGetLastError();
}

TEST_CASE("cudaPointerGetAttributes tells host, device, pinned and managed memory apart") {
  cudaPointerAttributes a{};
  int local = 0;
  REQUIRE(cudaPointerGetAttributes(&a, &local) == cudaSuccess);
  CHECK(a.type == cudaMemoryTypeUnregistered);
  CHECK(a.device == cudaInvalidDeviceId);
  CHECK(a.hostPointer == &local);
  DeviceMemory memory(64);
  REQUIRE(cudaPointerGetAttributes(&a, memory.at(5)) == cudaSuccess);
  CHECK(a.type == cudaMemoryTypeDevice);
  CHECK(a.devicePointer == memory.at(5));
  CHECK(a.hostPointer == nullptr);
  void* p = nullptr;
  REQUIRE(cudaMallocManaged(&p, 64, cudaMemAttachGlobal) == cudaSuccess);
  REQUIRE(cudaPointerGetAttributes(&a, p) == cudaSuccess);
  CHECK(a.type == cudaMemoryTypeManaged);
  cudaFree(p);
  REQUIRE(cudaMallocHost(&p, 64) == cudaSuccess);
  REQUIRE(cudaPointerGetAttributes(&a, p) == cudaSuccess);
  CHECK(a.type == cudaMemoryTypeHost);
  cudaFreeHost(p);
}

TEST_CASE("hints about managed memory can be asked back") {
  void* p = nullptr;
  REQUIRE(cudaMallocManaged(&p, 4096, cudaMemAttachGlobal) == cudaSuccess);
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchAsync(p, 4096, here, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(p, 1 << 20, here, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(p, 64, {cudaMemLocationTypeDevice, 77}, 0, nullptr) ==
        cudaErrorInvalidDevice);
  CHECK(cudaMemAdvise(p, 64, cudaMemAdviseSetReadMostly, here) == cudaSuccess);
  int value = -1;
  CHECK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeLastPrefetchLocation, p, 64) ==
        cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, p, 64) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributePreferredLocation, p, 64) ==
        cudaSuccess);
  CHECK(value == cudaInvalidDeviceId);
  cudaFree(p);
  DeviceMemory memory(64);
  CHECK(cudaMemPrefetchAsync(memory.pointer, 64, here, 0, nullptr) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a pool counts what is allocated from it") {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  props.maxSize = 4096;
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &props) == cudaSuccess);
  void *p = nullptr, *q = nullptr;
  CHECK(cudaMallocFromPoolAsync(&p, 1024, pool, nullptr) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&q, 4096, pool, nullptr) == cudaErrorMemoryAllocation);
  std::uint64_t used = 0, high = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 1024);
  CHECK(cudaFreeAsync(p, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high) == cudaSuccess);
  CHECK(used == 0);
  CHECK(high == 1024);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE(
    "memory of cudaMallocAsync can be freed by either call, managed memory only by cudaFree") {
  void* p = nullptr;
  REQUIRE(cudaMallocAsync(&p, 64, nullptr) == cudaSuccess);
  CHECK(cudaFree(p) == cudaSuccess);
  REQUIRE(cudaMalloc(&p, 64) == cudaSuccess);
  CHECK(cudaFreeAsync(p, nullptr) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&p, 64, cudaMemAttachGlobal) == cudaSuccess);
  CHECK(cudaFreeAsync(p, nullptr) == cudaErrorNotSupported);
  CHECK(cudaFree(p) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a device is not its own peer") {
  int can = 1;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
  CHECK(can == 0);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceEnablePeerAccess(99, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  DeviceMemory memory(64);
  CHECK(cudaMemcpyPeer(memory.pointer, 0, memory.at(32), 0, 32) == cudaSuccess);
  CHECK(cudaMemcpyPeer(memory.pointer, 0, memory.at(32), 5, 32) == cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST_CASE("a symbol the program does not have is refused") {
  int not_a_symbol = 0, value = 0;
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, &not_a_symbol) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(&not_a_symbol, &value, 4, 0, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidSymbol);
  cudaGetLastError();
}

TEST_CASE("a box whose size does not fit into 64 bits is refused") {
  DeviceMemory memory(4096);
  std::vector<char> host(4096);
  constexpr std::size_t kHuge = (std::size_t{1} << 62) + 1;
  // (height - 1) * pitch + width is 16 again.
  CHECK(cudaMemcpy2D(memory.pointer, 16, host.data(), 16, 16, (std::size_t{1} << 60) + 1,
                     cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DAsync(memory.pointer, 16, host.data(), 16, 16, (std::size_t{1} << 60) + 1,
                          cudaMemcpyHostToDevice, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(memory.pointer, 16, 0, 16, (std::size_t{1} << 60) + 1) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemset3D(cudaPitchedPtr{memory.pointer, 4, 4, kHuge}, 0, cudaExtent{4, 1, 2}) ==
        cudaErrorInvalidValue);
  cudaMemcpy3DParms p{};
  p.srcPtr = cudaPitchedPtr{host.data(), 16, 16, 16};
  p.dstPtr = cudaPitchedPtr{memory.pointer, 16, 16, 16};
  p.extent = cudaExtent{16, 1, (std::size_t{1} << 56) + 1};
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  p.extent = cudaExtent{16, 1, 1};
  p.dstPos.z = std::size_t{1} << 56;  // a whole turn around the address space
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  p.dstPos.z = 0;
  p.srcPos.y = std::size_t{1} << 60;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("sizes near the end of the address space are refused everywhere") {
  void* p = nullptr;
  char host[16] = {};
  constexpr std::size_t kAll = ~std::size_t{0};
  CHECK(cudaMallocManaged(&p, kAll, cudaMemAttachGlobal) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocHost(&p, kAll - 100) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocAsync(&p, kAll, nullptr) == cudaErrorMemoryAllocation);
  CHECK(cudaHostRegister(host, kAll, 0) == cudaErrorInvalidValue);
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  props.maxSize = 4096;
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &props) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&p, 1024, pool, nullptr) == cudaSuccess);
  void* q = nullptr;
  CHECK(cudaMallocFromPoolAsync(&q, kAll - 100, pool, nullptr) == cudaErrorMemoryAllocation);
  CHECK(cudaFreeAsync(p, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  cudaGetLastError();
}
