// Histogram with one set of bins per block in shared memory, merged into global memory at the end.
#include "../check.cuh"

constexpr int kBins = 64;

__global__ void shared_bins(const unsigned char* in, int n, unsigned* bins) {
  __shared__ unsigned own[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i] % kBins], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    if (own[b] != 0) atomicAdd(&bins[b], own[b]);
}

int main() {
  for (int n : {0, 1, 33, 1000, 30011}) {
    std::vector<unsigned char> values(n);
    std::vector<unsigned> want(kBins);
    for (int i = 0; i < n; ++i)
      ++want[(values[i] = static_cast<unsigned char>(noise(i) & noise(i + 7))) % kBins];  // skewed
    unsigned* bins = upload(std::vector<unsigned>(kBins));
    shared_bins<<<3, 160>>>(upload(values), n, bins);
    CHECK_KERNEL();
    const std::vector<unsigned> got = download(bins, kBins);
    report("shared_bins", got, want);
    std::printf("  bins 0 to 3: %u %u %u %u\n", got[0], got[1], got[2], got[3]);
  }
  return finish();
}
