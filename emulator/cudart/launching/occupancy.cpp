// SPDX-License-Identifier: MIT
// The rules of the CUDA occupancy calculator: registers are given per warp, in units, out of the
// file of the sub-partition the warp runs on; shared memory per block, in units, plus what the
// driver reserves.
#include "cudart/launching/occupancy.hpp"

#include <algorithm>

namespace emu::cudart {

namespace {

constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kMostRegisters = 255;  // per thread
constexpr std::uint32_t kRegisterStep = 8;     // per thread: 256 per warp

template <class T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

// Warps of a kernel with that many registers which an SM can hold.
std::uint32_t warps_by_registers(const devices::Profile& p, std::uint32_t registers) {
  if (registers == 0) return p.max_warps_per_sm;
  const std::uint32_t per_warp = round_up(registers * kWarp, p.register_granularity);
  const std::uint32_t per_partition = p.registers_per_sm / p.warp_granularity;
  return per_partition / per_warp * p.warp_granularity;
}

}  // namespace

std::uint32_t blocks_per_sm(const devices::Profile& p, const BlockNeeds& needs) {
  if (needs.threads == 0 || needs.threads > p.max_threads_per_block) return 0;
  if (needs.shared_bytes > p.shared_per_block_optin) return 0;
  const std::uint32_t warps = (needs.threads + kWarp - 1) / kWarp;

  std::uint32_t blocks = p.max_blocks_per_sm;
  blocks = std::min(blocks, p.max_warps_per_sm / warps);
  blocks = std::min(blocks, warps_by_registers(p, needs.registers) / warps);
  const std::size_t shared =
      round_up<std::size_t>(needs.shared_bytes, p.shared_granularity) + p.shared_reserved_per_block;
  if (shared > 0) {
    blocks = static_cast<std::uint32_t>(std::min<std::size_t>(blocks, p.shared_per_sm / shared));
  }
  return blocks;
}

std::uint32_t plausible_registers(const devices::Profile& p, std::uint32_t estimate,
                                  std::uint32_t threads) {
  std::uint32_t registers = std::min(estimate, kMostRegisters);
  const std::uint32_t warps = std::max(1u, (threads + kWarp - 1) / kWarp);
  while (registers > kRegisterStep && warps_by_registers(p, registers) < warps) {
    registers = (registers - 1) / kRegisterStep * kRegisterStep;
  }
  return registers;
}

std::size_t shared_share(const devices::Profile& p, std::uint32_t blocks) {
  const std::size_t share =
      p.shared_per_sm / std::max(1u, blocks) / p.shared_granularity * p.shared_granularity;
  return std::min<std::size_t>(share, p.shared_per_block_optin);
}

}  // namespace emu::cudart
