// SPDX-License-Identifier: MIT
// How much DRAM is asked by a launch whose data fit into L2 and were used right before: of arrays from 4 MB to as much as L2 has,
// only read, only written, copied, changed in place, and read again and again at random places. Nsight Compute says the bytes.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/warm.cu -o warm    # ./warm [FROM TO STEP], in megabytes: 2 60 2
//   ncu="ncu --clock-control none --cache-control none --csv --page raw"
//   $ncu --log-file dram.csv --metrics dram__bytes_read.sum,dram__bytes_write.sum ./warm
//   $ncu --log-file l2.csv --metrics lts__t_sectors_lookup_hit.sum,lts__t_sectors_lookup_miss.sum ./warm
//
// In two runs, so that each kernel runs once: for metrics that need more passes Nsight Compute runs it again, and restores between
// them what it has written. A row is printed for each launch; the first of each size is cold.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kBlock = 256, kRounds = 4;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "warm: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

enum class Does { Reads, Writes, Copies, Changes, Gathers, Count };
constexpr const char* kDoes[] = {"reads", "writes", "copies", "changes", "gathers"};

__device__ unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

template <Does kHow>
__global__ void use(float4* __restrict__ array, float4* __restrict__ other, unsigned n,
                    float never) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  if (kHow == Does::Writes) array[i] = make_float4(1, 2, 3, 4);
  if (kHow == Does::Copies) other[i] = array[i];
  if (kHow == Does::Changes) {
    const float4 x = array[i];
    array[i] = make_float4(x.y, x.z, x.w, x.x);
  }
  if (kHow == Does::Reads || kHow == Does::Gathers) {
    const float4 x = array[kHow == Does::Reads ? i : mixed(i) % n];
    if (x.x + x.y + x.z + x.w == never) other[i] = x;
  }
}

template <Does kHow>
void launch(float4* array, float4* other, unsigned bytes) {
  const unsigned n = bytes / 16 / (kHow == Does::Copies ? 2 : 1);
  for (int round = 0; round < kRounds; ++round) {
    use<kHow><<<(n + kBlock - 1) / kBlock, kBlock>>>(array, other, n, -1);
    check(cudaGetLastError());
    std::printf("%s,%u,%d\n", kDoes[static_cast<int>(kHow)], bytes, round);
  }
  check(cudaDeviceSynchronize());
}

constexpr unsigned kMegabyte = 1u << 20, kMost = 60;

// Megabytes, from 1 to kMost.
unsigned megabytes_of(const char* name, const char* text) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > static_cast<long>(kMost)) {
    std::fprintf(stderr, "warm: %s is \"%s\": a whole number of megabytes from 1 to %u, please\n",
                 name, text, kMost);
    std::exit(2);
  }
  return static_cast<unsigned>(value);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && argc != 4) {
    std::fprintf(stderr, "usage: warm [FROM TO STEP], in megabytes\n");
    return 2;
  }
  const unsigned from = argc > 1 ? megabytes_of("FROM", argv[1]) : 2,
                 to = argc > 1 ? megabytes_of("TO", argv[2]) : kMost,
                 step = argc > 1 ? megabytes_of("STEP", argv[3]) : 2;
  float4 *array, *other;
  check(cudaMalloc(&array, kMost * kMegabyte));
  check(cudaMalloc(&other, kMost * kMegabyte));
  check(cudaMemset(array, 0, kMost * kMegabyte));
  for (unsigned megabytes = from; megabytes <= to; megabytes += step) {
    const unsigned bytes = megabytes * kMegabyte;
    launch<Does::Reads>(array, other, bytes);
    launch<Does::Writes>(array, other, bytes);
    launch<Does::Copies>(array, other, bytes);
    launch<Does::Changes>(array, other, bytes);
    launch<Does::Gathers>(array, other, bytes);
  }
  return 0;
}
