// SPDX-License-Identifier: MIT
// Memory on the device: what goes up comes down, and it is given back.
#include "common/device_buffer.cuh"

#include <type_traits>

#include "support/catch.hpp"

using course::DeviceBuffer;

namespace {
// Whether memory of this process lies at an address. (How much is free says nothing: other programs
// may use the same GPU.)
bool is_ours(const void* address) {
  cudaPointerAttributes attributes{};
  const cudaError_t asked = cudaPointerGetAttributes(&attributes, address);
  cudaGetLastError();
  return asked == cudaSuccess && attributes.type == cudaMemoryTypeDevice;
}
}  // namespace

TEST_CASE("what was uploaded comes down again") {
  const std::vector<int> host{1, -2, 3};
  DeviceBuffer<int> buffer(host);
  CHECK(buffer.size() == 3);
  CHECK(buffer.bytes() == 12);
  CHECK(buffer.data() != nullptr);
  CHECK(buffer.download() == host);
  buffer.upload({7, 8, 9});
  CHECK(buffer.download() == std::vector<int>{7, 8, 9});
}

TEST_CASE("fewer elements than the buffer has are put at its beginning") {
  DeviceBuffer<int> buffer(std::vector<int>{1, 2, 3});
  buffer.upload({9});
  CHECK(buffer.download() == std::vector<int>{9, 2, 3});
}

TEST_CASE("no elements: no memory, and nothing fails") {
  DeviceBuffer<float> buffer(0);
  CHECK(buffer.data() == nullptr);
  CHECK(buffer.bytes() == 0);
  CHECK(buffer.download().empty());
  CHECK_NOTHROW(buffer.upload({}));
  CHECK_NOTHROW(DeviceBuffer<int>(std::vector<int>{}));
}

TEST_CASE("the memory is given back at the end of the buffer's life") {
  constexpr std::size_t kBytes = std::size_t{64} << 20;  // more than a GPU keeps for later
  const unsigned char* address = nullptr;
  {
    DeviceBuffer<unsigned char> buffer(kBytes);
    address = buffer.data();
    CHECK(is_ours(address));
    CHECK(is_ours(address + kBytes - 1));
  }
  CHECK_FALSE(is_ours(address));
  CHECK_FALSE(is_ours(address + kBytes - 1));
}

TEST_CASE("more memory than there is: CudaError, and the next call works") {
  CHECK_THROWS_AS(DeviceBuffer<char>(std::size_t{1} << 50), course::CudaError);
  cudaGetLastError();
  CHECK_NOTHROW(DeviceBuffer<char>(16));
}

TEST_CASE("a buffer is neither copied nor moved: kernels know its address") {
  using Buffer = DeviceBuffer<int>;
  CHECK_FALSE(std::is_copy_constructible_v<Buffer>);
  CHECK_FALSE(std::is_move_constructible_v<Buffer>);
  CHECK_FALSE(std::is_copy_assignable_v<Buffer>);
  CHECK_FALSE(std::is_move_assignable_v<Buffer>);
}
