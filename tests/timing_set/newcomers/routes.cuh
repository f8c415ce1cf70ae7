// SPDX-License-Identifier: MIT
// Where a router sends packets: the longest of 40000 prefixes that an address begins with. A walk
// down a binary trie, a bit a step; a binary search among the ranges the prefixes cut the addresses
// into, its upper steps in shared memory; a table of the first 24 bits (32 MB), four addresses a
// thread; and with that table whole packet headers, whose time to live and checksum change in
// place, and a counter of bytes for each port.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRoutesCount = 40000, kRoutesPorts = 201;  // port 0: nowhere

struct RoutesRoute {
  unsigned prefix, length, port;
};
struct RoutesNode {
  unsigned child[2], port;
};

__global__ void routes_trie(const unsigned* addresses, const RoutesNode* nodes,
                            unsigned short* ports, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned address = addresses[i];
  unsigned node = 0, best = 0;
  for (int bit = 31; bit >= 0; --bit) {
    node = nodes[node].child[address >> bit & 1];
    if (!node) break;
    const unsigned port = nodes[node].port;
    if (port) best = port;
  }
  ports[i] = static_cast<unsigned short>(best);
}

// The last of begins[low..high) that is not above the address.
__device__ inline unsigned routes_last(const unsigned* begins, unsigned low, unsigned high,
                                       unsigned address) {
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (begins[middle] <= address ? low : high) = middle;
  }
  return low;
}

__global__ void __launch_bounds__(1024)
    routes_ranges(const unsigned* __restrict__ addresses, const unsigned* __restrict__ begins,
                  const unsigned short* __restrict__ range_ports,
                  unsigned short* __restrict__ ports, unsigned ranges, unsigned n) {
  __shared__ unsigned upper[1024];
  const unsigned step = (ranges + 1023) / 1024, parts = (ranges + step - 1) / step;
  if (threadIdx.x < parts) upper[threadIdx.x] = begins[threadIdx.x * step];
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const unsigned address = addresses[i];
    const unsigned low = step * routes_last(upper, 0, parts, address);
    ports[i] = range_ports[routes_last(begins, low, min(low + step, ranges), address)];
  }
}

__global__ void routes_direct(const uint4* addresses, const unsigned short* __restrict__ table,
                              ushort4* ports, unsigned quarter) {
  const unsigned i = thread_number();
  if (i >= quarter) return;
  const uint4 a = addresses[i];
  ports[i] = make_ushort4(__ldg(table + (a.x >> 8)), __ldg(table + (a.y >> 8)),
                          __ldg(table + (a.z >> 8)), __ldg(table + (a.w >> 8)));
}

struct RoutesHeader {
  unsigned length, fragment;  // the length in the upper half
  unsigned time;              // to live; protocol; checksum in the upper half
  unsigned source, destination;
};

// With the time to live one less the checksum is one more, with the carry brought back.
__host__ __device__ inline unsigned routes_aged(unsigned time) {
  const unsigned sum = (time >> 16) + 1;
  return (sum + (sum >= 0xffff)) << 16 | ((time & 0xffff) - 1);
}

__global__ void routes_forward(RoutesHeader* headers, const unsigned short* table,
                               unsigned char* ports, unsigned long long* counters, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  RoutesHeader& header = headers[i];
  unsigned port = 0;
  if ((header.time & 255) > 1) {
    port = table[header.destination >> 8];
    header.time = routes_aged(header.time);
  }
  ports[i] = static_cast<unsigned char>(port);
  atomicAdd(counters + port, static_cast<unsigned long long>(header.length >> 16));
}

// Prefixes crowd in 2000 of the 65536 upper halves. Short ones come first: longer ones overwrite.
inline std::vector<RoutesRoute> routes_routes() {
  std::vector<RoutesRoute> routes(kRoutesCount);
  for (unsigned i = 0; i < kRoutesCount; ++i) {
    const unsigned r = mixed(i + 31), kind = r % 10;
    const unsigned length = kind < 5 ? 24 : 12 + (r >> 8) % 13;
    const unsigned whole = mixed((r >> 12) % 2000 + 500) << 16 | (mixed(r) & 0xffff);
    routes[i] = {whole & ~0u << (32 - length), length, 1 + mixed(i) % (kRoutesPorts - 1)};
  }
  std::stable_sort(routes.begin(), routes.end(),
                   [](const RoutesRoute& a, const RoutesRoute& b) { return a.length < b.length; });
  return routes;
}

inline unsigned routes_address(const std::vector<RoutesRoute>& routes, unsigned i) {
  const unsigned r = mixed(i + 123456), low = mixed(r);
  if (r % 16 == 0) return low;
  const float part = (r >> 8) / 16777216.0f;  // squared: some routes have much traffic
  const auto at = static_cast<unsigned>(part * part * (kRoutesCount - 1));
  const RoutesRoute& route = routes[mixed(at) % kRoutesCount];
  return route.prefix | (low & ~(~0u << (32 - route.length)));
}

inline unsigned routes_wanted(const std::vector<RoutesRoute>& routes, unsigned address) {
  unsigned port = 0;
  for (const RoutesRoute& route : routes)
    if ((address ^ route.prefix) >> (32 - route.length) == 0) port = route.port;
  return port;
}

inline std::vector<RoutesNode> routes_nodes(const std::vector<RoutesRoute>& routes) {
  std::vector<RoutesNode> nodes(1);
  for (const RoutesRoute& route : routes) {
    unsigned node = 0;
    for (unsigned bit = 31; bit > 31 - route.length; --bit) {
      const unsigned side = route.prefix >> bit & 1;
      if (!nodes[node].child[side]) {
        nodes[node].child[side] = static_cast<unsigned>(nodes.size());
        nodes.emplace_back();
      }
      node = nodes[node].child[side];
    }
    nodes[node].port = route.port;
  }
  return nodes;
}

// A port for each of the first 24 bits' values: no route looks at more, as among providers.
inline Shared<unsigned short> routes_table(const std::vector<RoutesRoute>& routes) {
  std::vector<unsigned short> table(1u << 24);
  for (const RoutesRoute& route : routes)
    std::fill_n(&table[route.prefix >> 8], 1u << (24 - route.length), route.port);
  return array(std::move(table));
}

// start gets the addresses and where the ports go.
using RoutesStart = std::function<void(unsigned*, unsigned short*)>;
inline Problem routes_problem(unsigned n, const std::vector<RoutesRoute>& routes,
                              const RoutesStart& start) {
  auto addresses = array<unsigned>(n, [&](unsigned i) { return routes_address(routes, i); });
  auto ports = room<unsigned short>(n);
  return Problem{[=] { start(addresses->data(), ports->data()); },
                 [=] {
                   return agrees(
                       ports, [&](unsigned i) { return routes_wanted(routes, addresses->host[i]); },
                       0);
                 }};
}

inline Problem routes_trie_problem(unsigned n) {
  const auto routes = routes_routes();
  auto nodes = array(routes_nodes(routes));
  return routes_problem(n, routes, [=](unsigned* addresses, unsigned short* ports) {
    routes_trie<<<blocks_of(n, 128), 128>>>(addresses, nodes->data(), ports, n);
  });
}

inline Problem routes_ranges_problem(unsigned n) {
  const auto routes = routes_routes();
  const std::vector<unsigned short> table = routes_table(routes)->host;
  std::vector<unsigned> cuts = {0};
  for (unsigned i = 1; i < 1u << 24; ++i)
    if (table[i] != table[i - 1]) cuts.push_back(i << 8);
  auto range_ports =
      array<unsigned short>(cuts.size(), [&](unsigned i) { return table[cuts[i] >> 8]; });
  auto begins = array(std::move(cuts));
  return routes_problem(n, routes, [=](unsigned* addresses, unsigned short* ports) {
    routes_ranges<<<std::min(blocks_of(n, 1024), 264u), 1024>>>(
        addresses, begins->data(), range_ports->data(), ports, begins->size(), n);
  });
}

inline Problem routes_direct_problem(unsigned n) {
  const auto routes = routes_routes();
  auto table = routes_table(routes);
  return routes_problem(n, routes, [=](unsigned* addresses, unsigned short* ports) {
    routes_direct<<<blocks_of(n / 4), kBlock>>>(reinterpret_cast<const uint4*>(addresses),
                                                table->data(), reinterpret_cast<ushort4*>(ports),
                                                n / 4);
  });
}

inline Problem routes_forward_problem(unsigned n) {
  const auto routes = routes_routes();
  auto table = routes_table(routes);
  auto headers = array<RoutesHeader>(n, [&](unsigned i) {
    const unsigned r = mixed(i ^ 0x5555u);
    return RoutesHeader{(40 + r % 1461) << 16, i, (r & 0xffff0000u) | 6 << 8 | (1 + r % 64),
                        mixed(r), routes_address(routes, i)};
  });
  auto ports = room<unsigned char>(n);
  auto counters = array(std::vector<unsigned long long>(kRoutesPorts));
  const auto right = [=] {
    const auto after = headers->device.download();
    const auto got = ports->device.download();
    std::vector<unsigned long long> bytes(256);
    for (unsigned i = 0; i < n; ++i) bytes[got[i]] += headers->host[i].length >> 16;
    bytes.resize(kRoutesPorts);
    return bytes == counters->device.download() &&
           agrees(
               ports,
               [&](unsigned i) {
                 const RoutesHeader& header = headers->host[i];
                 const bool lives = (header.time & 255) > 1;
                 const unsigned time = lives ? routes_aged(header.time) : header.time;
                 if (after[i].time != time || after[i].source != header.source) return ~0u;
                 return lives ? routes_wanted(routes, header.destination) : 0;
               },
               0);
  };
  return Problem{[=] {
                   routes_forward<<<blocks_of(n, 192), 192>>>(headers->data(), table->data(),
                                                              ports->data(), counters->data(), n);
                 },
                 right,
                 [=] {
                   headers->restore();
                   clear(counters);
                 }};
}

inline void add_routes(Set& set) {
  const std::vector<unsigned> sizes = {4000, 300000, 2300000};  // packets, multiples of four
  set.add("routes_trie", sizes, routes_trie_problem);
  set.add("routes_ranges", sizes, routes_ranges_problem);
  set.add("routes_direct", sizes, routes_direct_problem);
  set.add("routes_forward", sizes, routes_forward_problem);
}

}  // namespace timing_set
