// SPDX-License-Identifier: MIT
// For tests: registers PTX text the way nvcc's code does before main().
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, size_t, int, int);
char __cudaInitModule(void**);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*);
cudaError_t __cudaGetKernel(cudaKernel_t*, const void*);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
}

namespace emu::cudart {

// A fatbin with one plain entry of PTX (kind 1) or of machine code (kind 2).
inline std::vector<char> make_fatbin(const std::string& text, std::uint32_t sm,
                                     std::uint16_t kind = 1) {
  std::vector<char> bytes(16 + 64 + (text.size() + 8) / 8 * 8);
  const auto put = [&](std::size_t at, auto value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  put(0, std::uint32_t{0xba55ed50});
  put(4, std::uint16_t{1});
  put(6, std::uint16_t{16});
  put(8, std::uint64_t{bytes.size() - 16});
  put(16, kind);
  put(18, std::uint16_t{0x101});
  put(20, std::uint32_t{64});
  put(24, std::uint64_t{bytes.size() - 80});
  put(44, sm);
  std::memcpy(bytes.data() + 80, text.data(), text.size());
  return bytes;
}

class FakeProgram {
 public:
  // One text: an ordinary program. Several: the parts of a relocatable one.
  explicit FakeProgram(std::initializer_list<std::string> texts, std::uint32_t sm = 90,
                       std::uint16_t kind = 1) {
    for (const auto& text : texts) fatbins_.push_back(make_fatbin(text, sm, kind));
    for (const auto& fatbin : fatbins_) parts_.push_back(fatbin.data());
    parts_.push_back(nullptr);
    wrapper_.version = fatbins_.size() == 1 ? 1 : 2;
    wrapper_.data = fatbins_.front().data();
    wrapper_.parts = parts_.data();
    handle = __cudaRegisterFatBinary(&wrapper_);
  }
  ~FakeProgram() { __cudaUnregisterFatBinary(handle); }
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

  // Any address of the program serves as a stub's.
  void kernel(const void* stub, const char* name) {
    __cudaRegisterFunction(handle, static_cast<const char*>(stub), nullptr, name, -1, nullptr,
                           nullptr, nullptr, nullptr, nullptr);
  }

  void** handle = nullptr;

 private:
  struct {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    const void* const* parts = nullptr;
  } wrapper_;
  std::vector<std::vector<char>> fatbins_;
  std::vector<const void*> parts_;
};

}  // namespace emu::cudart
