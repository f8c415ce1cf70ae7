// SPDX-License-Identifier: MIT
// Rays through a volume, until they leave it or nothing behind can be seen: straight along z (neighbours read neighbours), along
// x (each its own row), slanted with eight halves mixed at each step, and to the first bright voxel, past dark bricks.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr float kMarchDim = 1e-3f;

__global__ void march_straight(const float* volume, float* image, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  float light = 0, clear = 1;
  for (int z = 0; z < side; ++z) {
    const float density = volume[(z * side + y) * side + x];
    light += clear * density * z;
    clear *= 1 - density;
    if (clear < kMarchDim) break;
  }
  image[y * side + x] = light / side;
}

__global__ void march_lengthwise(const float* volume, float* image, int side) {
  const int ray = blockIdx.x * blockDim.x + threadIdx.x;
  if (ray >= side * side) return;
  const float* row = volume + ray * side;
  float light = 0, clear = 1;
  int x = 0;
  while (x < side && clear >= kMarchDim) {
    light += clear * row[x] * x;
    clear *= 1 - row[x];
    ++x;
  }
  image[ray] = light / side;
}

struct MarchVolume {
  const __half* data;
  int side;
  __device__ float at(int x, int y, int z) const {
    return __half2float(data[(z * side + y) * side + x]);
  }
  __device__ float mixed_at(float x, float y, float z) const {
    const int i = static_cast<int>(x), j = static_cast<int>(y), k = static_cast<int>(z);
    const float u = x - i, v = y - j, w = z - k;
    float planes[2];
#pragma unroll
    for (int d = 0; d < 2; ++d) {
      const float near_row = at(i, j, k + d) * (1 - u) + at(i + 1, j, k + d) * u;
      const float far_row = at(i, j + 1, k + d) * (1 - u) + at(i + 1, j + 1, k + d) * u;
      planes[d] = near_row * (1 - v) + far_row * v;
    }
    return planes[0] * (1 - w) + planes[1] * w;
  }
};
// How a ray leans: away from the middle, and a little to the right.
__host__ __device__ inline float march_lean(int at, int side, float aside) {
  return (at - 0.5f * side) * 0.4f / side + aside;
}
constexpr float kMarchStep = 1.25f;
__global__ void __launch_bounds__(128) march_slanted(MarchVolume volume, float2* image) {
  const int side = volume.side;
  const int px = blockIdx.x * 32 + threadIdx.x, py = blockIdx.y * 4 + threadIdx.y;
  if (px >= side || py >= side) return;
  const float dx = march_lean(px, side, 0.15f), dy = march_lean(py, side, 0.0f);
  float light = 0, clear = 1;
  for (float t = 0; t < side - 1; t += kMarchStep) {
    const float x = px + t * dx, y = py + t * dy;
    if (x < 0 || x >= side - 1 || y < 0 || y >= side - 1) break;
    const float density = volume.mixed_at(x, y, t);
    light += clear * density * t;
    clear *= 1 - density;
    if (clear < kMarchDim) break;
  }
  image[py * side + px] = make_float2(light / side, clear);
}

constexpr unsigned char kMarchBright = 180;
__global__ void march_bricks(const unsigned char* __restrict__ volume,
                             const unsigned char* __restrict__ bricks, int* __restrict__ depth,
                             int side) {
  const int across = side / 8;
  for (int ray = blockIdx.x * blockDim.x + threadIdx.x; ray < side * side;
       ray += gridDim.x * blockDim.x) {
    const int x = ray % side, y = ray / side;
    int found = -1;
    for (int b = 0; b < across && found < 0; ++b) {
      if (bricks[(b * across + y / 8) * across + x / 8] < kMarchBright) continue;
      const unsigned char* from = volume + (b * 8 * side + y) * side + x;
      for (int k = 0; k < 8; ++k)
        if (from[k * side * side] >= kMarchBright) {
          found = b * 8 + k;
          break;
        }
    }
    depth[ray] = found;
  }
}

// Thin mist, and a thick ball in it.
inline float march_density(unsigned i, unsigned side) {
  const float h = 0.5f * side;
  const float x = i % side - h, y = i / side % side - h, z = i / (side * side) - h;
  const bool inside = x * x + y * y + z * z < 0.16f * side * side;
  return (mixed(i) >> 16) / 65536.0f * (inside ? 0.1f : 0.004f);
}
template <class Launch>
std::function<Problem(unsigned)> march_problem(bool lengthwise, Launch launch) {
  return [=](unsigned side) {
    auto volume =
        array<float>(side * side * side, [=](unsigned i) { return march_density(i, side); });
    auto image = room<float>(side * side);
    return Problem{[=] { launch(volume->data(), image->data(), static_cast<int>(side)); },
                   [=] {
                     return agrees(
                         image,
                         [=](unsigned i) {
                           double light = 0, clear = 1;
                           for (unsigned k = 0; k < side && clear >= kMarchDim; ++k) {
                             const double density =
                                 volume->host[lengthwise ? i * side + k : k * side * side + i];
                             light += clear * density * k;
                             clear *= 1 - density;
                           }
                           return light / side;
                         },
                         1e-3);
                   }};
  };
}
inline Problem march_slanted_problem(unsigned side) {
  auto volume = array<__half>(side * side * side,
                              [=](unsigned i) { return __float2half(march_density(i, side)); });
  auto image = room<float>(2 * side * side);
  const int s = static_cast<int>(side);
  return Problem{[=] {
                   march_slanted<<<dim3(blocks_of(side, 32), blocks_of(side, 4)), dim3(32, 4)>>>(
                       MarchVolume{volume->data(), s}, reinterpret_cast<float2*>(image->data()));
                 },
                 [=] {
                   return agrees(
                       image,
                       [=](unsigned i) {
                         const int px = static_cast<int>(i) / 2 % s,
                                   py = static_cast<int>(i) / 2 / s;
                         const double dx = march_lean(px, s, 0.15f), dy = march_lean(py, s, 0.0f);
                         double light = 0, clear = 1;
                         for (double t = 0; t < s - 1 && clear >= kMarchDim; t += kMarchStep) {
                           const double at[3] = {px + t * dx, py + t * dy, t};
                           if (at[0] < 0 || at[0] >= s - 1 || at[1] < 0 || at[1] >= s - 1) break;
                           double density = 0;
                           for (int c = 0; c < 8; ++c) {
                             double weight = 1;
                             int place = 0;
                             for (int d = 2; d >= 0; --d) {
                               const int low = static_cast<int>(at[d]), up = c >> d & 1;
                               weight *= up ? at[d] - low : 1 - (at[d] - low);
                               place = place * s + low + up;
                             }
                             density += weight * __half2float(volume->host[place]);
                           }
                           light += clear * density * t;
                           clear *= 1 - density;
                         }
                         return i % 2 ? clear : light / s;
                       },
                       6e-3);
                 }};
}
inline Problem march_bricks_problem(unsigned side) {
  auto volume = array<unsigned char>(side * side * side, [=](unsigned i) {
    const unsigned r = mixed(i);
    return r % 8192 == 0 ? 255 : (r >> 13) % 160 + (march_density(i, side) > 0.09f ? 40 : 0);
  });
  const unsigned across = side / 8;
  auto bricks = array<unsigned char>(across * across * across, [=](unsigned b) {
    const unsigned x = b % across * 8, y = b / across % across * 8, z = b / (across * across) * 8;
    unsigned char most = 0;
    for (unsigned k = 0; k < 64; ++k) {
      const unsigned char* row = &volume->host[((z + k / 8) * side + y + k % 8) * side + x];
      for (unsigned i = 0; i < 8; ++i) most = most < row[i] ? row[i] : most;
    }
    return most;
  });
  auto depth = room<int>(side * side);
  return Problem{[=] {
                   march_bricks<<<std::min(blocks_of(side * side, 192), 264u), 192>>>(
                       volume->data(), bricks->data(), depth->data(), static_cast<int>(side));
                 },
                 [=] {
                   return agrees(depth, [=](unsigned i) {
                     for (unsigned z = 0; z < side; ++z)
                       if (volume->host[z * side * side + i] >= kMarchBright)
                         return static_cast<int>(z);
                     return -1;
                   });
                 }};
}

inline void add_march(Set& set) {
  set.add("march_straight", {40, 160, 272}, march_problem(false, [](float* v, float* i, int side) {
            const unsigned blocks = blocks_of(side, 16);
            march_straight<<<dim3(blocks, blocks), dim3(16, 16)>>>(v, i, side);
          }));
  set.add("march_lengthwise", {40, 160, 272}, march_problem(true, [](float* v, float* i, int side) {
            march_lengthwise<<<blocks_of(side * side, 128), 128>>>(v, i, side);
          }));
  set.add("march_slanted", {40, 160, 300}, march_slanted_problem);
  set.add("march_bricks", {40, 160, 360}, march_bricks_problem);
}

}  // namespace timing_set
