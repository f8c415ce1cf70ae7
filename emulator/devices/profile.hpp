// SPDX-License-Identifier: MIT
// The GPUs the emulator can pretend to be. Each is a .def file of FIELD(name, value) rows beside
// this header.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace emu::devices {

// The multiprocessors that a cluster can spread over, group by group (a GPC); 0: no more.
using ClusterGroups = std::array<std::uint8_t, 8>;

struct Profile {
  std::string_view id;    // "h200": what WARPLADDER_DEVICE names
  std::string_view name;  // "NVIDIA H200"
  std::uint32_t compute_major = 0, compute_minor = 0;
  std::uint32_t multiprocessors = 0;
  // Of them, those that get their blocks on a turn of their own.
  std::uint32_t multiprocessors_apart = 0;
  std::uint64_t global_memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::uint32_t memory_bus_bits = 0;
  std::uint32_t memory_clock_khz = 0;
  std::uint32_t sm_clock_khz = 0;
  std::uint32_t max_threads_per_block = 1024;
  std::uint32_t max_threads_per_sm = 0;
  std::uint32_t max_blocks_per_sm = 0;
  std::uint32_t max_warps_per_sm = 0;
  std::uint32_t registers_per_sm = 65536;
  std::uint32_t registers_per_block = 65536;
  std::uint32_t register_granularity = 256;  // per warp
  std::uint32_t shared_per_sm = 0;           // bytes
  std::uint32_t shared_per_block = 49152;    // without opting in
  std::uint32_t shared_per_block_optin = 0;
  std::uint32_t shared_reserved_per_block = 0;
  std::uint32_t shared_granularity = 128;
  std::uint32_t max_cluster = 1;  // portable cluster size; 1: none
  std::uint32_t max_cluster_nonportable =
      1;  // ... after cudaFuncAttributeNonPortableClusterSizeAllowed
  ClusterGroups
      cluster_groups{};  // for clusters of more than two blocks; smaller ones fit anywhere
  std::uint32_t async_engines = 3;
  std::uint32_t warp_granularity = 4;  // warps are placed on the SM's sub-partitions in this many
  std::uint64_t persisting_l2_bytes = 0;     // most of the L2 a program may set aside
  std::uint32_t single_to_double_ratio = 2;  // fp32 operations per fp64 operation
  std::uint32_t pci_device_id = 0;           // device id << 16 | vendor id

  std::uint32_t sm() const { return compute_major * 10 + compute_minor; }
};

// How many clusters of `size` blocks are resident at once, where a multiprocessor holds `blocks`.
std::uint64_t resident_clusters(const Profile& gpu, std::uint64_t size, std::uint64_t blocks);

std::span<const Profile> all();
const Profile* find(std::string_view id);  // nullptr: no such GPU

}  // namespace emu::devices
