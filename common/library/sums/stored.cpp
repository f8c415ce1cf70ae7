// SPDX-License-Identifier: MIT
#include "common/sums/stored.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

namespace course {

Stored stored_as(const std::string& name) {
  return name == "f16" ? Stored::kF16 : name == "bf16" ? Stored::kBf16 : Stored::kF32;
}

namespace {

template <class To>
void convert(std::span<const float> x, unsigned char* to, To to_stored) {
  for (const float value : x) {
    const auto stored = to_stored(value);
    std::memcpy(to, &stored, sizeof stored);
    to += sizeof stored;
  }
}
template <class S, class Widen>
void convert_back(std::span<const unsigned char> bytes, std::vector<float>& x, Widen widen) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    S stored;
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    x[i] = widen(stored);
  }
}

}  // namespace

float nearest(Stored stored, float x) {
  if (stored == Stored::kF16) return __half2float(__float2half_rn(x));
  if (stored == Stored::kBf16) return __bfloat162float(__float2bfloat16_rn(x));
  return x;
}

std::vector<unsigned char> pack(Stored stored, std::span<const float> x) {
  std::vector<unsigned char> bytes(x.size() * bytes_of(stored));
  if (stored == Stored::kF16)
    convert(x, bytes.data(), [](float v) { return __float2half_rn(v); });
  else if (stored == Stored::kBf16)
    convert(x, bytes.data(), [](float v) { return __float2bfloat16_rn(v); });
  else
    convert(x, bytes.data(), [](float v) { return v; });
  return bytes;
}

std::vector<float> unpack(Stored stored, std::span<const unsigned char> bytes) {
  std::vector<float> x(bytes.size() / bytes_of(stored));
  if (stored == Stored::kF16)
    convert_back<__half>(bytes, x, [](__half v) { return __half2float(v); });
  else if (stored == Stored::kBf16)
    convert_back<__nv_bfloat16>(bytes, x, [](__nv_bfloat16 v) { return __bfloat162float(v); });
  else
    convert_back<float>(bytes, x, [](float v) { return v; });
  return x;
}

}  // namespace course
