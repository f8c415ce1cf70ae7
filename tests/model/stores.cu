// SPDX-License-Identifier: MIT
// What stores find in a first-level cache, and which of them go to L2 as one: a few stores right behind each other to structures of
// many sizes, naive transpositions in blocks of all shapes, runs that threads fill, and planes at an odd distance. Nsight
// Compute says how many sectors are found and how many L2 is sent.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/stores.cu -o stores
//   ncu --clock-control none --cache-control none --csv --page raw --log-file stores.csv --metrics \
//     l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum,\
//     lts__t_sectors_srcunit_tex_op_write.sum ./stores
//
// A row is printed for each launch.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t kWords = std::size_t{4224} * 256 * 33;
float *out, *in;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "stores: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

enum class Reads { Nothing, Itself, Planes, Another };
constexpr const char* kReads[] = {"nothing", "itself", "planes", "another"};

// Each thread stores the first words of a structure of its own; `kFrom` says where they come from.
template <int kStores, Reads kFrom>
__global__ void structures(float* __restrict__ out, const float* __restrict__ in, int words,
                           int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float value[kStores];
  float* const own = out + static_cast<std::size_t>(i) * words;
#pragma unroll
  for (int k = 0; k < kStores; ++k) {
    if (kFrom == Reads::Nothing) value[k] = static_cast<float>(i + k);
    if (kFrom == Reads::Itself) value[k] = own[k] + 1;
    if (kFrom == Reads::Planes) value[k] = in[k * n + i];
    if (kFrom == Reads::Another) value[k] = in[static_cast<std::size_t>(i) * words + k];
  }
#pragma unroll
  for (int k = 0; k < kStores; ++k) own[k] = value[k];
}

__global__ void transposition(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < n && y < n)
    out[static_cast<std::size_t>(x) * n + y] = in[static_cast<std::size_t>(y) * n + x];
}

__global__ void runs(float* __restrict__ out, const float* __restrict__ a,
                     const float* __restrict__ b, int run, int n) {
  const int first = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * run;
  for (int i = first; i < min(n, first + run); ++i) out[i] = a[i] + b[i];
}

constexpr int kPlanes = 6;
__global__ void planes(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float value = in[i];
#pragma unroll
  for (int k = 0; k < kPlanes; ++k) out[static_cast<std::size_t>(k) * n + i] = value + k;
}

template <int kStores, Reads kFrom>
void structures_of(int words) {
  if (kStores > words) return;
  constexpr int kGrids[][2] = {{132, 32}, {132, 256}, {528, 128}, {1056, 256}, {4224, 256}};
  for (const auto& [blocks, threads] : kGrids) {
    structures<kStores, kFrom><<<blocks, threads>>>(out, in, words, blocks * threads);
    check(cudaDeviceSynchronize());
    std::printf("structures stores %d words %d reads %s blocks %d threads %d\n", kStores, words,
                kReads[static_cast<int>(kFrom)], blocks, threads);
  }
}

template <Reads kFrom>
void all_structures() {
  for (const int words : {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 32}) {
    structures_of<2, kFrom>(words);
    structures_of<3, kFrom>(words);
    structures_of<4, kFrom>(words);
    structures_of<6, kFrom>(words);
    structures_of<8, kFrom>(words);
  }
}

unsigned blocks_of(int all, int each) { return static_cast<unsigned>((all + each - 1) / each); }

void all_transpositions() {
  for (const int n : {100, 500, 1000, 1024, 1400, 2048, 4096, 4100})
    for (const dim3 block :
         {dim3(32, 4), dim3(32, 8), dim3(32, 16), dim3(32, 32), dim3(16, 16), dim3(8, 32)}) {
      const dim3 grid(blocks_of(n, static_cast<int>(block.x)),
                      blocks_of(n, static_cast<int>(block.y)));
      transposition<<<grid, block>>>(out, in, n);
      check(cudaDeviceSynchronize());
      std::printf("transposition n %d block %u x %u\n", n, block.x, block.y);
    }
}

void all_runs() {
  for (const int n : {10007, 100003, 500001, 2000003, 8000001})
    for (const int run : {2, 3, 4, 5, 7, 8, 11, 16, 32})
      for (const int threads : {64, 256}) {
        runs<<<blocks_of(static_cast<int>(blocks_of(n, run)), threads), threads>>>(
            out, in, in + kWords / 2, run, n);
        check(cudaDeviceSynchronize());
        std::printf("runs n %d run %d threads %d\n", n, run, threads);
      }
}

void all_planes() {
  for (const int n : {3001, 50001, 500001, 2000003, 4000001})
    for (const int threads : {128, 256, 512}) {
      planes<<<blocks_of(n, threads), threads>>>(out, in, n);
      check(cudaDeviceSynchronize());
      std::printf("planes n %d threads %d\n", n, threads);
    }
}

}  // namespace

int main() {
  check(cudaMalloc(&out, kWords * sizeof(float)));
  check(cudaMalloc(&in, kWords * sizeof(float)));
  check(cudaMemset(out, 0, kWords * sizeof(float)));
  check(cudaMemset(in, 0, kWords * sizeof(float)));
  all_structures<Reads::Nothing>();
  all_structures<Reads::Itself>();
  all_structures<Reads::Planes>();
  all_structures<Reads::Another>();
  all_transpositions();
  all_runs();
  all_planes();
  return 0;
}
