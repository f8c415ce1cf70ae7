// Numbers of 32 bits in shared memory, some below zero, added to numbers of 64 bits: a load that
// extends the sign. And their absolute values.
#include "../check.cuh"

constexpr int kThreads = 64;

__global__ void distances(const int* x, const long long* from, long long* to, int* sizes) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  to[t] = from[t] + tile[(7 * t + 1) % kThreads];
  sizes[t] = abs(x[t]);
}

int main() {
  std::vector<int> x(kThreads), sizes(kThreads);
  std::vector<long long> from(kThreads), to(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    x[i] = static_cast<int>(noise(i) * 2654435761u) | 1;  // not the one number without an opposite
    from[i] = (1ll << 40) - 7 * i;
    sizes[i] = x[i] < 0 ? -x[i] : x[i];
  }
  for (int i = 0; i < kThreads; ++i) to[i] = from[i] + x[(7 * i + 1) % kThreads];
  long long* const device_to = upload(std::vector<long long>(kThreads));
  int* const device_sizes = upload(std::vector<int>(kThreads));
  distances<<<1, kThreads>>>(upload(x), upload(from), device_to, device_sizes);
  CHECK_KERNEL();
  report("distances", download(device_to, kThreads), to);
  report("sizes", download(device_sizes, kThreads), sizes);
  return finish();
}
