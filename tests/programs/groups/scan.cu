// cg::inclusive_scan and exclusive_scan on tiles and coalesced groups, with plus, max and a
// function of one's own.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "../check.cuh"
namespace cg = cooperative_groups;

template <class Group>
__device__ void scans(const Group& group, int v, int* row) {
  row[0] = cg::inclusive_scan(group, v);
  row[1] = cg::exclusive_scan(group, v);
  row[2] = cg::inclusive_scan(group, v, cg::greater<int>());
  row[3] = cg::inclusive_scan(group, v, [](int a, int b) { return a ^ b; });
  row[4] = static_cast<int>(cg::inclusive_scan(group, static_cast<float>(v), cg::plus<float>()));
}

template <int Size>
__global__ void tiles(const int* in, int* out) {
  scans(cg::tiled_partition<Size>(cg::this_thread_block()), in[threadIdx.x], out + 5 * threadIdx.x);
}

__global__ void coalesced(const int* in, int* out) {
  if (threadIdx.x % 4 != 2) scans(cg::coalesced_threads(), in[threadIdx.x], out + 5 * threadIdx.x);
}

template <class Together>
std::vector<int> expected(const std::vector<int>& in, Together together) {
  std::vector<int> out(5 * in.size());
  for (int t = 0; t < static_cast<int>(in.size()); ++t) {
    if (!together(t, t)) continue;
    int sum = 0, high = -1000000, odd = 0;
    for (int u = t / 32 * 32; u <= t; ++u)
      if (together(t, u)) sum += in[u], high = std::max(high, in[u]), odd ^= in[u];
    const int row[] = {sum, sum - in[t], high, odd, sum};
    std::copy(row, row + 5, out.begin() + 5 * t);
  }
  return out;
}

int main() {
  const int n = 96;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>(noise(i) % 20000) - 10000;
  int* in = upload(values);
  int* out = upload(std::vector<int>(5 * n));
  const auto run = [&](const char* name, auto kernel, auto together) {
    CHECK(cudaMemset(out, 0, 5 * n * sizeof(int)));
    kernel<<<1, n>>>(in, out);
    CHECK_KERNEL();
    report(name, download(out, 5 * n), expected(values, together));
  };
  run("tiles<4>", tiles<4>, [](int t, int u) { return t / 4 == u / 4; });
  run("tiles<16>", tiles<16>, [](int t, int u) { return t / 16 == u / 16; });
  run("tiles<32>", tiles<32>, [](int t, int u) { return t / 32 == u / 32; });
  run("coalesced", coalesced, [](int t, int u) { return t % 4 != 2 && u % 4 != 2; });
  return finish();
}
