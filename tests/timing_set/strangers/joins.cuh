// SPDX-License-Identifier: MIT
// The customer of each order: looked for from the first customer on, by tiles in shared memory with some orders for each
// thread, by halving the sorted customers, and in a hash table whose buckets are four customers.
#pragma once
#include "../set.cuh"

namespace timing_set {

struct JoinsCustomer {
  unsigned number;
  char name[20];
  float rate;
  int city;
};

__global__ void joins_nested(const unsigned* order_customer, const float* amount, int orders,
                             const JoinsCustomer* customers, int count, float* charged, int* city) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= orders) return;
  charged[i] = 0;
  city[i] = -1;
  for (int c = 0; c < count; c++) {
    if (customers[c].number == order_customer[i]) {
      charged[i] = amount[i] * customers[c].rate;
      city[i] = customers[c].city;
      break;
    }
  }
}

constexpr int kJoinsTile = 128, kJoinsOrders = 4, kJoinsTiles = 3;
// A column of blocks looks at some of the customers. Where nobody is found, nothing is written.
__global__ void __launch_bounds__(kJoinsTile)
    joins_tiled(const unsigned* order_customer, int orders, const unsigned* customers, int count,
                int* row) {
  __shared__ unsigned tile[kJoinsTile];
  const int first = blockIdx.x * kJoinsTile * kJoinsOrders + threadIdx.x;
  unsigned wanted[kJoinsOrders];
  int found[kJoinsOrders];
#pragma unroll
  for (int k = 0; k < kJoinsOrders; ++k) {
    const int i = first + k * kJoinsTile;
    wanted[k] = i < orders ? order_customer[i] : ~0u;
    found[k] = -1;
  }
  for (int t = 0; t < kJoinsTiles; ++t) {
    const int base = (blockIdx.y * kJoinsTiles + t) * kJoinsTile;
    __syncthreads();
    tile[threadIdx.x] = base + threadIdx.x < count ? customers[base + threadIdx.x] : ~0u - 1;
    __syncthreads();
#pragma unroll 8
    for (int c = 0; c < kJoinsTile; ++c) {
      const unsigned customer = tile[c];
#pragma unroll
      for (int k = 0; k < kJoinsOrders; ++k)
        if (wanted[k] == customer) found[k] = base + c;
    }
  }
#pragma unroll
  for (int k = 0; k < kJoinsOrders; ++k)
    if (found[k] >= 0) row[first + k * kJoinsTile] = found[k];
}

__global__ void joins_search(const unsigned* __restrict__ order_customer,
                             const float* __restrict__ amount, unsigned orders,
                             const unsigned* __restrict__ customers,
                             const double* __restrict__ rate, unsigned count,
                             double* __restrict__ charged) {
  const unsigned i = thread_number();
  if (i >= orders) return;
  const unsigned wanted = order_customer[i];
  unsigned low = 0, high = count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (customers[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  charged[i] = low < count && customers[low] == wanted ? amount[i] * rate[low] : 0;
}

__host__ __device__ inline unsigned joins_bucket(unsigned number, unsigned buckets) {
  return mixed(number) % buckets;
}
// A bucket is filled from x to w; when it is full, one goes on in the next.
__global__ void joins_buckets(const uint2* orders, unsigned count, const uint4* buckets,
                              unsigned bucket_count, const float2* values, float2* joined) {
  for (unsigned i = thread_number(); i < count; i += gridDim.x * blockDim.x) {
    const uint2 order = orders[i];  // the customer, and the amount as bits
    unsigned bucket = joins_bucket(order.x, bucket_count);
    int slot = -1;
    for (;;) {
      const uint4 four = __ldg(&buckets[bucket]);
      if (four.x == order.x) slot = 0;
      if (four.y == order.x) slot = 1;
      if (four.z == order.x) slot = 2;
      if (four.w == order.x) slot = 3;
      if (slot >= 0 || four.w == 0) break;
      bucket = bucket + 1 == bucket_count ? 0 : bucket + 1;
    }
    float2 result = {0, -1};
    if (slot >= 0) {
      result = values[4 * bucket + slot];
      result.x *= __uint_as_float(order.y);
    }
    joined[i] = result;
  }
}

// Numbers that grow, with gaps.
inline unsigned joins_number(unsigned customer) { return 1 + 4 * customer + mixed(customer) % 4; }
inline double joins_rate(unsigned customer) { return 0.5 + customer % 512 / 1024.0; }
inline int joins_city(unsigned customer) { return static_cast<int>(mixed(customer + 9) % 1000); }
// One of eight orders has a number that may be nobody's.
inline unsigned joins_ordered(unsigned order, unsigned customers) {
  const unsigned x = mixed(order + 12345), c = mixed(order) % customers;
  return x % 8 == 0 ? 1 + 4 * c + x / 8 % 4 : joins_number(c);
}
inline int joins_row(unsigned number) {  // of a customer, or -1
  const unsigned c = (number - 1) / 4;
  return joins_number(c) == number ? static_cast<int>(c) : -1;
}
inline Shared<unsigned> joins_orders(unsigned orders, unsigned customers) {
  return array<unsigned>(orders, [=](unsigned i) { return joins_ordered(i, customers); });
}
constexpr unsigned kJoinsFew = 1100, kJoinsMany = 6;

inline Problem joins_nested_problem(unsigned n) {
  auto orders = joins_orders(n, kJoinsFew);
  auto amount = uniform(n, 2), charged = room<float>(n);
  auto city = room<int>(n);
  auto customers = array<JoinsCustomer>(kJoinsFew, [](unsigned c) {
    return JoinsCustomer{joins_number(c), "Nobody", static_cast<float>(joins_rate(c)),
                         joins_city(c)};
  });
  return {[=] {
            joins_nested<<<blocks_of(n, 96), 96>>>(orders->data(), amount->data(),
                                                   static_cast<int>(n), customers->data(),
                                                   kJoinsFew, charged->data(), city->data());
          },
          [=] {
            const auto row = [=](unsigned i) { return joins_row(orders->host[i]); };
            return agrees(city, [=](unsigned i) { return row(i) < 0 ? -1 : joins_city(row(i)); }) &&
                   agrees(charged, [=](unsigned i) {
                     return row(i) < 0 ? 0 : amount->host[i] * joins_rate(row(i));
                   });
          }};
}
inline Problem joins_tiled_problem(unsigned n) {
  auto orders = joins_orders(n, kJoinsFew), customers = array<unsigned>(kJoinsFew, joins_number);
  auto row = room<int>(n);
  const dim3 grid(blocks_of(n, kJoinsTile * kJoinsOrders),
                  blocks_of(kJoinsFew, kJoinsTile * kJoinsTiles));
  return {[=] {
            joins_tiled<<<grid, kJoinsTile>>>(orders->data(), static_cast<int>(n),
                                              customers->data(), kJoinsFew, row->data());
          },
          [=] {
            return agrees(
                row, [=](unsigned i) { return joins_row(orders->host[i]); }, 0);
          },
          [=] { COURSE_CHECK(cudaMemset(row->data(), 0xff, row->device.bytes())); }};
}
inline Problem joins_search_problem(unsigned n) {
  const unsigned count = n * kJoinsMany;
  auto orders = joins_orders(n, count), customers = array<unsigned>(count, joins_number);
  auto amount = uniform(n, 2);
  auto rate = array<double>(count, joins_rate);
  auto charged = room<double>(n);
  return {[=] {
            joins_search<<<blocks_of(n), kBlock>>>(orders->data(), amount->data(), n,
                                                   customers->data(), rate->data(), count,
                                                   charged->data());
          },
          [=] {
            return agrees(charged, [=](unsigned i) {
              const int row = joins_row(orders->host[i]);
              return row < 0 ? 0 : amount->host[i] * joins_rate(row);
            });
          }};
}
inline Problem joins_buckets_problem(unsigned n) {
  const unsigned count = n * kJoinsMany, buckets = count / 2 + 1;
  auto orders = array<uint2>(n, [=](unsigned i) {
    return uint2{joins_ordered(i, count), 0x3f800000u + mixed(i) % 0x800000u};  // from 1 to 2
  });
  std::vector<unsigned> slots(4 * buckets);
  std::vector<float2> places(4 * buckets);
  for (unsigned c = 0; c < count; ++c) {
    unsigned at = 4 * joins_bucket(joins_number(c), buckets);
    while (slots[at] != 0) at = at + 1 == slots.size() ? 0 : at + 1;
    slots[at] = joins_number(c);
    places[at] = {static_cast<float>(joins_rate(c)), static_cast<float>(joins_city(c))};
  }
  auto table = array(std::move(slots));
  auto values = array(std::move(places));
  auto joined = room<float2>(n);
  const unsigned blocks = std::min(792u, blocks_of(n, 320));
  return {[=] {
            joins_buckets<<<blocks, 320>>>(orders->data(), n,
                                           reinterpret_cast<const uint4*>(table->data()), buckets,
                                           values->data(), joined->data());
          },
          [=] {
            const std::vector<float2> got = joined->device.download();
            for (unsigned i = 0; i < n; i += 1 + n / 1000) {
              const int row = joins_row(orders->host[i].x);
              const double amount = 1 + mixed(i) % 0x800000u / 8388608.0;
              if (!near(got[i].x, row < 0 ? 0 : amount * joins_rate(row), 1e-4) ||
                  !near(got[i].y, row < 0 ? -1 : joins_city(row), 0))
                return false;
            }
            return true;
          }};
}

inline void add_joins(Set& set) {
  set.add("joins_nested", {2000, 30000, 100000}, joins_nested_problem);
  set.add("joins_tiled", {2000, 70000, 150000}, joins_tiled_problem);
  set.add("joins_search", {5000, 120000, 700000}, joins_search_problem);
  set.add("joins_buckets", {5000, 120000, 700000}, joins_buckets_problem);
}

}  // namespace timing_set
