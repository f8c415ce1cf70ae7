// SPDX-License-Identifier: MIT
// Blurred images, where pixels beyond an edge count as the edge. Four kernels weigh 5 x 5 pixels:
// with weights in global memory, with weights in constant memory and a tile in shared memory, with
// the rows and then the columns of a tile, and for bytes with sums in double by mistake. Two weigh
// 17 pixels in one direction: along the rows in shared memory, and down the columns.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kBlursReach = 2, kBlursSide = 2 * kBlursReach + 1;
constexpr int kBlursFar = 8, kBlursTaps = 2 * kBlursFar + 1;
__constant__ float blurs_weights[kBlursSide * kBlursSide];  // five by five
__constant__ float blurs_five[kBlursSide];                  // the same as a product
__constant__ float blurs_line[kBlursTaps];                  // in one direction

__device__ inline int blurs_clamped(int x, int end) { return min(max(x, 0), end - 1); }

__global__ void blurs_plain(const float* in, float* out, const float* weights, int width,
                            int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -kBlursReach; dy <= kBlursReach; ++dy)
    for (int dx = -kBlursReach; dx <= kBlursReach; ++dx) {
      const int from = blurs_clamped(y + dy, height) * width + blurs_clamped(x + dx, width);
      sum += weights[(dy + kBlursReach) * kBlursSide + dx + kBlursReach] * in[from];
    }
  out[y * width + x] = sum;
}

template <int kWide, int kHigh>
__device__ void blurs_load(const float* in, float* tile, int left, int top, int width, int height) {
  constexpr int kAcross = kWide + 2 * kBlursReach, kDown = kHigh + 2 * kBlursReach;
  for (int k = threadIdx.y * kWide + threadIdx.x; k < kAcross * kDown; k += kWide * kHigh) {
    const int x = blurs_clamped(left + k % kAcross - kBlursReach, width);
    const int y = blurs_clamped(top + k / kAcross - kBlursReach, height);
    tile[k] = in[y * width + x];
  }
}

constexpr int kBlursWide = 32, kBlursHigh = 8;

__global__ void blurs_tile(const float* __restrict__ in, float* __restrict__ out, int width,
                           int height) {
  constexpr int kAcross = kBlursWide + 2 * kBlursReach;
  __shared__ float tile[kAcross * (kBlursHigh + 2 * kBlursReach)];
  const int left = blockIdx.x * kBlursWide, top = blockIdx.y * kBlursHigh;
  blurs_load<kBlursWide, kBlursHigh>(in, tile, left, top, width, height);
  __syncthreads();
  const int x = left + threadIdx.x, y = top + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = 0; dy < kBlursSide; ++dy)
    for (int dx = 0; dx < kBlursSide; ++dx)
      sum += blurs_weights[dy * kBlursSide + dx] *
             tile[(threadIdx.y + dy) * kAcross + threadIdx.x + dx];
  out[y * width + x] = sum;
}

constexpr int kBlursTall = 16;

// The weights are a product, so that five along the rows and then five down the columns will do.
__global__ void blurs_product(const float* __restrict__ in, float* __restrict__ out, int width,
                              int height) {
  constexpr int kAcross = kBlursWide + 2 * kBlursReach, kDown = kBlursTall + 2 * kBlursReach;
  __shared__ float tile[kAcross * kDown];
  __shared__ float across[kDown][kBlursWide];
  const int left = blockIdx.x * kBlursWide, top = blockIdx.y * kBlursTall;
  blurs_load<kBlursWide, kBlursTall>(in, tile, left, top, width, height);
  __syncthreads();
  for (int row = threadIdx.y; row < kDown; row += kBlursTall) {
    float sum = 0;
    for (int d = 0; d < kBlursSide; ++d)
      sum += blurs_five[d] * tile[row * kAcross + threadIdx.x + d];
    across[row][threadIdx.x] = sum;
  }
  __syncthreads();
  const int x = left + threadIdx.x, y = top + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int d = 0; d < kBlursSide; ++d) sum += blurs_five[d] * across[threadIdx.y + d][threadIdx.x];
  out[y * width + x] = sum;
}

// The mistake: floats would be exact enough, but the sum is a double, and all is converted to it.
__global__ void blurs_bytes(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double sum = 0.0;
  for (int dy = -kBlursReach; dy <= kBlursReach; ++dy)
    for (int dx = -kBlursReach; dx <= kBlursReach; ++dx) {
      const int from = blurs_clamped(y + dy, height) * width + blurs_clamped(x + dx, width);
      const double weight = blurs_weights[(dy + kBlursReach) * kBlursSide + dx + kBlursReach];
      sum += weight * in[from];
    }
  out[y * width + x] = static_cast<unsigned char>(sum + 0.5);
}

constexpr int kBlursStretch = 256;

__global__ void blurs_row(const float* __restrict__ in, float* __restrict__ out, int width) {
  __shared__ float stretch[kBlursStretch + 2 * kBlursFar];
  const float* row = in + blockIdx.y * width;
  const int first = blockIdx.x * kBlursStretch;
  for (int k = threadIdx.x; k < kBlursStretch + 2 * kBlursFar; k += kBlursStretch)
    stretch[k] = row[blurs_clamped(first + k - kBlursFar, width)];
  __syncthreads();
  const int x = first + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (int d = 0; d < kBlursTaps; ++d) sum += blurs_line[d] * stretch[threadIdx.x + d];
  out[blockIdx.y * width + x] = sum;
}

constexpr int kBlursRows = 8;

// Each thread has a few pixels below one another; what they share should still be in the cache.
__global__ void blurs_column(const float* __restrict__ in, float* __restrict__ out, int width,
                             int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  const int first = blockIdx.y * kBlursRows, end = min(first + kBlursRows, height);
  for (int y = first; y < end; ++y) {
    float sum = 0;
    for (int d = 0; d < kBlursTaps; ++d)
      sum += blurs_line[d] * in[blurs_clamped(y + d - kBlursFar, height) * width + x];
    out[y * width + x] = sum;
  }
}

struct BlursWeights {
  std::vector<float> five, square, line;
};

inline BlursWeights blurs_make_weights() {
  BlursWeights made;
  made.five = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};
  for (float down : made.five)
    for (float across : made.five) made.square.push_back(down * across);
  double sum = 0;
  for (int d = -kBlursFar; d <= kBlursFar; ++d) sum += std::exp(-d * d / 18.0);
  for (int d = -kBlursFar; d <= kBlursFar; ++d)
    made.line.push_back(static_cast<float>(std::exp(-d * d / 18.0) / sum));
  return made;
}

inline void blurs_set_weights(const BlursWeights& made) {
  const auto set = [](const auto& symbol, const std::vector<float>& values) {
    COURSE_CHECK(cudaMemcpyToSymbol(symbol, values.data(), values.size() * sizeof(float)));
  };
  set(blurs_weights, made.square);
  set(blurs_five, made.five);
  set(blurs_line, made.line);
}

// The blurred pixel number i; the weights in both directions may be a single 1.
template <class T>
double blurs_wanted(const std::vector<T>& image, int width, int height, unsigned i,
                    const std::vector<float>& across, const std::vector<float>& down) {
  const int x = static_cast<int>(i) % width, y = static_cast<int>(i) / width;
  const int wide = static_cast<int>(across.size()), high = static_cast<int>(down.size());
  double sum = 0;
  for (int dy = 0; dy < high; ++dy)
    for (int dx = 0; dx < wide; ++dx) {
      const int from_x = std::clamp(x + dx - wide / 2, 0, width - 1);
      const int from_y = std::clamp(y + dy - high / 2, 0, height - 1);
      sum += static_cast<double>(across[dx]) * down[dy] * image[from_y * width + from_x];
    }
  return sum;
}

enum class BlursShape { square, row, column };
using BlursLaunch = void (*)(const float* in, float* out, const float* weights, int width,
                             int height);

inline int blurs_height(unsigned n) { return static_cast<int>(3 * n / 4); }

inline void blurs_add_floats(Set& set, const char* id, const std::vector<unsigned>& sizes,
                             BlursShape shape, BlursLaunch launch) {
  set.add(id, sizes, [=](unsigned n) {
    const int width = static_cast<int>(n), height = blurs_height(n);
    const std::size_t pixels = std::size_t{n} * blurs_height(n);
    auto in = uniform(pixels, 1), out = room<float>(pixels);
    const BlursWeights made = blurs_make_weights();
    blurs_set_weights(made);
    auto weights = array(made.square);
    const std::vector<float> one = {1};
    const auto across = shape == BlursShape::square ? made.five
                        : shape == BlursShape::row  ? made.line
                                                    : one;
    const auto down = shape == BlursShape::square ? made.five
                      : shape == BlursShape::row  ? one
                                                  : made.line;
    return Problem{
        [=] { launch(in->data(), out->data(), weights->data(), width, height); },
        [=] {
          return agrees(
              out,
              [&](unsigned i) { return blurs_wanted(in->host, width, height, i, across, down); },
              1e-5);
        }};
  });
}

inline void blurs_add_bytes(Set& set, const std::vector<unsigned>& sizes) {
  set.add("blurs_bytes", sizes, [](unsigned n) {
    const int width = static_cast<int>(n), height = blurs_height(n);
    const std::size_t pixels = std::size_t{n} * blurs_height(n);
    auto in = array<unsigned char>(pixels, [](unsigned i) { return mixed(i) % 256; });
    auto out = room<unsigned char>(pixels);
    const BlursWeights made = blurs_make_weights();
    blurs_set_weights(made);
    const std::vector<float> five = made.five;
    return Problem{
        [=] {
          const dim3 grid(blocks_of(n, 64), blocks_of(height, 4));
          blurs_bytes<<<grid, dim3(64, 4)>>>(in->data(), out->data(), width, height);
        },
        [=] {
          // The weights are sums of powers of two: host and device agree to the last bit.
          return agrees(
              out,
              [&](unsigned i) {
                return std::floor(blurs_wanted(in->host, width, height, i, five, five) + 0.5);
              },
              1e-6);
        }};
  });
}

inline void add_blurs(Set& set) {
  const std::vector<unsigned> sizes = {210, 2103, 3601};
  blurs_add_floats(set, "blurs_plain", sizes, BlursShape::square,
                   [](const float* in, float* out, const float* weights, int width, int height) {
                     const dim3 grid(blocks_of(width, 16), blocks_of(height, 16));
                     blurs_plain<<<grid, dim3(16, 16)>>>(in, out, weights, width, height);
                   });
  blurs_add_floats(set, "blurs_tile", sizes, BlursShape::square,
                   [](const float* in, float* out, const float*, int width, int height) {
                     const dim3 grid(blocks_of(width, kBlursWide), blocks_of(height, kBlursHigh));
                     blurs_tile<<<grid, dim3(kBlursWide, kBlursHigh)>>>(in, out, width, height);
                   });
  blurs_add_floats(set, "blurs_product", sizes, BlursShape::square,
                   [](const float* in, float* out, const float*, int width, int height) {
                     const dim3 grid(blocks_of(width, kBlursWide), blocks_of(height, kBlursTall));
                     blurs_product<<<grid, dim3(kBlursWide, kBlursTall)>>>(in, out, width, height);
                   });
  blurs_add_bytes(set, sizes);
  blurs_add_floats(set, "blurs_row", sizes, BlursShape::row,
                   [](const float* in, float* out, const float*, int width, int height) {
                     const dim3 grid(blocks_of(width, kBlursStretch), height);
                     blurs_row<<<grid, kBlursStretch>>>(in, out, width);
                   });
  blurs_add_floats(set, "blurs_column", sizes, BlursShape::column,
                   [](const float* in, float* out, const float*, int width, int height) {
                     const dim3 grid(blocks_of(width, 128), blocks_of(height, kBlursRows));
                     blurs_column<<<grid, 128>>>(in, out, width, height);
                   });
}

}  // namespace timing_set
