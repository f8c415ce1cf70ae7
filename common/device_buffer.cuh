// SPDX-License-Identifier: MIT
// Memory on the GPU that frees itself. Not copied, not moved: its address is in running kernels.
#pragma once

#include <cstddef>
#include <vector>

#include "common/check.cuh"

namespace course {

template <class T>
class DeviceBuffer {
 public:
  // Zero elements are fine: data() is then null.
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    if (size_ > 0) COURSE_CHECK(cudaMalloc(&data_, size_ * sizeof(T)));
  }
  explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) { upload(host); }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  void upload(const std::vector<T>& host) {
    if (!host.empty())
      COURSE_CHECK(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const { return download(size_); }
  // The first ones, where the rest was not written.
  std::vector<T> download(std::size_t count) const {
    std::vector<T> host(count);
    if (count > 0)
      COURSE_CHECK(cudaMemcpy(host.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace course
