// SPDX-License-Identifier: MIT
// Sales added up by group: by day of the year with atomics in memory, and in shared memory first; by customer, whose
// sales lie together, with one thread for each; and by one of four states, whose sums fit into registers.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kGroupsDays = 365, kGroupsStates = 4;
struct GroupsSale {
  double price;
  int pieces;
  unsigned short day;
  unsigned short shop;
};

__global__ void groups_global(const unsigned short* day, const double* price, const int* pieces,
                              unsigned n, double* turnover, int* sold, int* most) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned group = day[i];
  atomicAdd(&turnover[group], price[i] * pieces[i]);
  atomicAdd(&sold[group], pieces[i]);
  atomicMax(&most[group], pieces[i]);
}

__global__ void __launch_bounds__(512)
    groups_shared(const unsigned short* __restrict__ day, const double* __restrict__ price,
                  const int* __restrict__ pieces, unsigned n, double* turnover, int* sold,
                  int* most) {
  __shared__ double block_turnover[kGroupsDays];
  __shared__ int block_sold[kGroupsDays], block_most[kGroupsDays];
  for (unsigned k = threadIdx.x; k < kGroupsDays; k += blockDim.x) {
    block_turnover[k] = 0;
    block_sold[k] = block_most[k] = 0;
  }
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const unsigned group = day[i];
    const int count = pieces[i];
    atomicAdd(&block_turnover[group], price[i] * count);
    atomicAdd(&block_sold[group], count);
    atomicMax(&block_most[group], count);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kGroupsDays; k += blockDim.x) {
    if (block_sold[k] == 0) continue;
    atomicAdd(&turnover[k], block_turnover[k]);
    atomicAdd(&sold[k], block_sold[k]);
    atomicMax(&most[k], block_most[k]);
  }
}

__global__ void groups_each(const GroupsSale* sales, const int* first, int customers,
                            double* turnover, float* dearest, int* busiest_shop) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= customers) return;
  double sum = 0;
  float max = 0;
  int shop = -1, most = 0;
  for (int i = first[c]; i < first[c + 1]; i++) {
    sum = sum + sales[i].price * sales[i].pieces;
    if (sales[i].price > max) max = sales[i].price;
    if (sales[i].pieces > most) {
      most = sales[i].pieces;
      shop = sales[i].shop;
    }
  }
  turnover[c] = sum;
  dearest[c] = max;
  busiest_shop[c] = shop;
}

__global__ void groups_few(const uchar2* state, const double2* price, const int2* pieces,
                           unsigned pairs, double* turnover, int* sold) {
  double sums[kGroupsStates] = {};
  int counts[kGroupsStates] = {};
  for (unsigned i = thread_number(); i < pairs; i += gridDim.x * blockDim.x) {
    const uchar2 s = state[i];
    const double2 p = price[i];
    const int2 m = pieces[i];
#pragma unroll
    for (int k = 0; k < kGroupsStates; ++k) {
      const int a = s.x == k ? m.x : 0, b = s.y == k ? m.y : 0;
      sums[k] += p.x * a + p.y * b;
      counts[k] += a + b;
    }
  }
#pragma unroll
  for (int k = 0; k < kGroupsStates; ++k) {
    const double sum = warp_sum(sums[k]);
    const int count = warp_sum(counts[k]);
    if (threadIdx.x % 32 == 0) {
      atomicAdd(&turnover[k], sum);
      atomicAdd(&sold[k], count);
    }
  }
}

struct GroupsTable {  // what all kernels but one read
  explicit GroupsTable(unsigned n, unsigned groups)
      : price(uniform<double>(n, 3)),
        pieces(array<int>(n, [](unsigned i) { return 1 + mixed(i + 5) % 9; })),
        turnover(room<double>(groups)),
        sold(room<int>(groups)),
        most(room<int>(groups)) {}
  void reset() const { clear(turnover), clear(sold), clear(most); }
  template <class T>
  bool right(const Shared<T>& key, bool with_most) const {
    std::vector<double> sums(turnover->size());
    std::vector<int> counts(sums.size()), highest(sums.size());
    for (unsigned i = 0; i < key->size(); ++i) {
      const unsigned k = key->host[i];
      sums[k] += price->host[i] * pieces->host[i];
      counts[k] += pieces->host[i];
      highest[k] = std::max(highest[k], pieces->host[i]);
    }
    return agrees(
               turnover, [&](unsigned k) { return sums[k]; }, 1e-9) &&
           agrees(
               sold, [&](unsigned k) { return counts[k]; }, 0) &&
           (!with_most || agrees(
                              most, [&](unsigned k) { return highest[k]; }, 0));
  }
  Shared<double> price;
  Shared<int> pieces;
  Shared<double> turnover;
  Shared<int> sold, most;
};

template <class Function>
std::function<Problem(unsigned)> groups_by_day(Function kernel, unsigned block, unsigned most) {
  return [=](unsigned n) {
    GroupsTable t(n, kGroupsDays);
    auto day = array<unsigned short>(n, [](unsigned i) { return mixed(i) % kGroupsDays; });
    const unsigned blocks = std::min(most, blocks_of(n, block));
    return Problem{[=] {
                     kernel<<<blocks, block>>>(day->data(), t.price->data(), t.pieces->data(), n,
                                               t.turnover->data(), t.sold->data(), t.most->data());
                   },
                   [=] { return t.right(day, true); }, [=] { t.reset(); }};
  };
}
inline Problem groups_by_state(unsigned n) {
  GroupsTable t(n, kGroupsStates);
  auto state = array<unsigned char>(n, [](unsigned i) { return std::min(3u, mixed(i) % 16 / 3); });
  return {[=] {
            groups_few<<<std::min(528u, blocks_of(n / 2)), kBlock>>>(
                reinterpret_cast<const uchar2*>(state->data()),
                reinterpret_cast<const double2*>(t.price->data()),
                reinterpret_cast<const int2*>(t.pieces->data()), n / 2, t.turnover->data(),
                t.sold->data());
          },
          [=] { return t.right(state, false); }, [=] { t.reset(); }};
}
inline Problem groups_by_customer(unsigned n) {
  std::vector<int> starts = {0};  // 0 to 63 sales for each
  for (unsigned c = 0; starts.back() < static_cast<int>(n); ++c)
    starts.push_back(
        std::min(static_cast<int>(n), starts.back() + static_cast<int>(mixed(c) % 64)));
  auto first = array(std::move(starts));
  auto sales = array<GroupsSale>(n, [](unsigned i) {
    const unsigned x = mixed(i);
    return GroupsSale{(x >> 16) / 256.0, static_cast<int>(1 + x % 90),
                      static_cast<unsigned short>(i % 365), static_cast<unsigned short>(x % 7777)};
  });
  const unsigned customers = first->size() - 1;
  auto turnover = room<double>(customers);
  auto dearest = room<float>(customers);
  auto shop = room<int>(customers);
  const auto of = [=](unsigned c, int what) {
    double sum = 0, max = 0;
    int best = -1, most = 0;
    for (int i = first->host[c]; i < first->host[c + 1]; ++i) {
      const GroupsSale& sale = sales->host[i];
      sum += sale.price * sale.pieces;
      max = std::max(max, sale.price);
      if (sale.pieces > most) most = sale.pieces, best = sale.shop;
    }
    return what == 0 ? sum : what == 1 ? max : best;
  };
  return {[=] {
            groups_each<<<blocks_of(customers, 64), 64>>>(
                sales->data(), first->data(), static_cast<int>(customers), turnover->data(),
                dearest->data(), shop->data());
          },
          [=] {
            return agrees(turnover, [=](unsigned c) { return of(c, 0); }) &&
                   agrees(dearest, [=](unsigned c) { return of(c, 1); }) &&
                   agrees(
                       shop, [=](unsigned c) { return of(c, 2); }, 0);
          }};
}

inline void add_groups(Set& set) {
  const std::vector<unsigned> sizes = {7000, 600000, 4500000};
  set.add("groups_global", sizes, groups_by_day(groups_global, 256, 1u << 30));
  set.add("groups_shared", sizes, groups_by_day(groups_shared, 512, 264));
  set.add("groups_each", sizes, groups_by_customer);
  set.add("groups_few", sizes, groups_by_state);
}

}  // namespace timing_set
