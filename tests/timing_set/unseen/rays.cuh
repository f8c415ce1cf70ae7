// SPDX-License-Identifier: MIT
// How far rays go through the spheres that they meet, at most: with the spheres in global, in shared and in constant memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSpheres = 96;
__constant__ float4 constant_spheres[kSpheres];
// From the origin, in the direction of pixel i of a picture 512 wide.
__host__ __device__ inline float4 ray_of(unsigned i) {
  const float x = static_cast<float>(i % 512) / 256 - 1;
  const float y = static_cast<float>(i / 512 % 512) / 256 - 1;
  const float length = sqrtf(x * x + y * y + 1);
  return {x / length, y / length, 1 / length, 0};
}
__host__ __device__ inline float through(float4 ray, float4 sphere, float farthest) {
  const float along = ray.x * sphere.x + ray.y * sphere.y + ray.z * sphere.z;
  const float square = sphere.x * sphere.x + sphere.y * sphere.y + sphere.z * sphere.z;
  const float within = along * along - square + sphere.w * sphere.w;
  if (within <= 0 || along < 0) return farthest;
  const float way = 2 * sqrtf(within);
  return way > farthest ? way : farthest;
}
__global__ void rays_global(const float4* spheres, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 ray = ray_of(i);
  float farthest = 0;
  for (unsigned k = 0; k < kSpheres; ++k) farthest = through(ray, spheres[k], farthest);
  out[i] = farthest;
}
__global__ void rays_shared(const float4* spheres, float* out, unsigned n) {
  __shared__ float4 kept[kSpheres];
  if (threadIdx.x < kSpheres) kept[threadIdx.x] = spheres[threadIdx.x];
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const float4 ray = ray_of(i);
    float farthest = 0;
    for (unsigned k = 0; k < kSpheres; ++k) farthest = through(ray, kept[k], farthest);
    out[i] = farthest;
  }
}
__global__ void rays_constant(const float4*, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 ray = ray_of(i);
  float farthest = 0;
  for (unsigned k = 0; k < kSpheres; ++k) farthest = through(ray, constant_spheres[k], farthest);
  out[i] = farthest;
}

template <unsigned Each, unsigned Block, class Function>
std::function<Problem(unsigned)> rays_problem(Function kernel) {
  return [=](unsigned n) {
    std::vector<float4> some(kSpheres);
    const auto between = [](unsigned i) { return static_cast<float>(mixed(i) % 1024) / 512 - 1; };
    for (unsigned k = 0; k < kSpheres; ++k)
      some[k] = {4 * between(4 * k), 4 * between(4 * k + 1), 6 + between(4 * k + 2),
                 0.6f + between(4 * k + 3) / 4};
    auto spheres = array(std::move(some));
    auto out = room<float>(n);
    COURSE_CHECK(
        cudaMemcpyToSymbol(constant_spheres, spheres->host.data(), sizeof(constant_spheres)));
    return Problem{
        [=] { kernel<<<blocks_of(n / Each, Block), Block>>>(spheres->data(), out->data(), n); },
        [=] {
          return agrees(
              out,
              [=](unsigned i) {
                float farthest = 0;
                for (const float4 sphere : spheres->host)
                  farthest = through(ray_of(i), sphere, farthest);
                return farthest;
              },
              1e-2);  // roots of differences that are nearly 0
        }};
  };
}

inline void add_rays(Set& set) {
  const std::vector<unsigned> sizes = {2048, 32768, 400000};
  set.add("rays_global", sizes, rays_problem<1, 128>(rays_global));
  set.add("rays_shared", sizes, rays_problem<4, 128>(rays_shared));
  set.add("rays_constant", sizes, rays_problem<1, 256>(rays_constant));
}

}  // namespace timing_set
