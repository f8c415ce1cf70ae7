// cg::reduce with every operator on tiles, coalesced and labelled groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "../check.cuh"
namespace cg = cooperative_groups;

template <class Group>
__device__ void all_operators(const Group& group, int v, int* row) {
  row[0] = cg::reduce(group, v, cg::plus<int>());
  row[1] = cg::reduce(group, v, cg::less<int>());
  row[2] = cg::reduce(group, v, cg::greater<int>());
  row[3] = cg::reduce(group, v, cg::bit_and<int>());
  row[4] = cg::reduce(group, v, cg::bit_or<int>());
  row[5] = cg::reduce(group, v, cg::bit_xor<int>());
  row[6] = static_cast<int>(cg::reduce(group, 1LL * v * v, cg::plus<long long>()) % 1000003);
  row[7] = static_cast<int>(cg::reduce(group, static_cast<float>(v), cg::plus<float>()));
  row[8] = cg::reduce(group, v, [](int a, int b) { return a > b ? a - b + b : b; });
}

template <int Size>
__global__ void tiles(const int* in, int* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  all_operators(tile, in[threadIdx.x], out + 9 * threadIdx.x);
}

__global__ void coalesced(const int* in, int* out) {
  if (threadIdx.x % 3 == 1)
    all_operators(cg::coalesced_threads(), in[threadIdx.x], out + 9 * threadIdx.x);
}

__global__ void labelled(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  all_operators(cg::labeled_partition(warp, threadIdx.x % 7), in[threadIdx.x],
                out + 9 * threadIdx.x);
}

// The same by the CPU for each thread t, over the threads of its warp for which together(t, u)
// holds.
template <class Together>
std::vector<int> expected(const std::vector<int>& in, Together together) {
  std::vector<int> out(9 * in.size());
  for (int t = 0; t < static_cast<int>(in.size()); ++t) {
    if (!together(t, t)) continue;
    int sum = 0, low = in[t], high = in[t], all = -1, any = 0, odd = 0;
    long long squares = 0;
    for (int u = t / 32 * 32; u < t / 32 * 32 + 32; ++u) {
      if (!together(t, u)) continue;
      sum += in[u], low = std::min(low, in[u]), high = std::max(high, in[u]), all &= in[u],
                    any |= in[u], odd ^= in[u];
      squares += 1LL * in[u] * in[u];
    }
    const int row[] = {sum, low, high, all, any, odd, static_cast<int>(squares % 1000003),
                       sum, high};
    std::copy(row, row + 9, out.begin() + 9 * t);
  }
  return out;
}

int main() {
  const int n = 64;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>(noise(i) % 20000) - 5000;
  int* in = upload(values);
  int* out = upload(std::vector<int>(9 * n));
  const auto run = [&](const char* name, auto kernel, auto together) {
    CHECK(cudaMemset(out, 0, 9 * n * sizeof(int)));
    kernel<<<1, n>>>(in, out);
    CHECK_KERNEL();
    report(name, download(out, 9 * n), expected(values, together));
  };
  run("tiles<1>", tiles<1>, [](int t, int u) { return t == u; });
  run("tiles<2>", tiles<2>, [](int t, int u) { return t / 2 == u / 2; });
  run("tiles<4>", tiles<4>, [](int t, int u) { return t / 4 == u / 4; });
  run("tiles<8>", tiles<8>, [](int t, int u) { return t / 8 == u / 8; });
  run("tiles<16>", tiles<16>, [](int t, int u) { return t / 16 == u / 16; });
  run("tiles<32>", tiles<32>, [](int t, int u) { return t / 32 == u / 32; });
  run("coalesced", coalesced, [](int t, int u) { return t % 3 == 1 && u % 3 == 1; });
  run("labelled", labelled, [](int t, int u) { return t % 7 == u % 7; });
  return finish();
}
