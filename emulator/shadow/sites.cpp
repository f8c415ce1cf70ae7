// SPDX-License-Identifier: MIT
#include "shadow/sites.hpp"

#include "shadow/waiting.hpp"

namespace emu::check {
namespace {

Site make(const exec::Warp& warp, const exec::Instr& in, std::uint32_t operation) {
  Site site;
  site.in = &in;
  site.code = warp.frame->code;
  site.operation = operation;
  const ptx::Instruction& ins = *in.source;
  const auto others = ptx::info(in.row).others;
  site.mbarrier = others == ptx::Others::Arrive || others == ptx::Others::Wait;
  const bool volatile_ = ins.has("volatile") || ins.has("mmio");
  const bool made = in.row == ptx::Row::mbarrier_init || in.row == ptx::Row::mbarrier_inval;
  const bool atomic = others == ptx::Others::Atomic || (site.mbarrier && !made);
  Clocks::Order& order = site.order;
  if (!volatile_) {
    order.acquire = ins.has("acquire") || ins.has("acq_rel");
    order.release = ins.has("release") || ins.has("acq_rel");
  }
  site.is_volatile = volatile_;
  site.strong = volatile_ || atomic || order.acquire || order.release || ins.has("relaxed");
  // A load or store that names no order is weak whatever it names besides.
  order.scope = volatile_ ? Scope::System : scope_of(ins, Scope::Gpu);
  return site;
}

}  // namespace

Scope scope_of(const ptx::Instruction& ins, Scope otherwise) {
  if (ins.has("cta")) return Scope::Block;
  if (ins.has("cluster")) return Scope::Cluster;
  if (ins.has("gpu") || ins.has("gl")) return Scope::Gpu;
  if (ins.has("sys")) return Scope::System;
  return otherwise;
}

std::uint32_t Sites::of(OfLaunch& launch, const exec::Warp& warp, const exec::Instr& in, bool reads,
                        bool writes, bool copies) {
  const std::uint32_t kind = reads | writes << 1 | copies << 2;
  const auto key = reinterpret_cast<std::uintptr_t>(&in);
  OfLaunch::Entry& entry = launch.recent_[(key / sizeof(exec::Instr)) % launch.recent_.size()];
  if (entry.in == &in && entry.kind == kind) [[likely]]
    return entry.site;
  const auto [it, fresh] = launch.known_.try_emplace(std::uint64_t{key} << 3 | kind, all_.size());
  if (fresh) {
    Site site = make(warp, in, launch.operation_);
    site.reads = reads;
    site.writes = writes;
    site.copies = copies;
    if (copies) site.strong = false;
    site.waits = reads && site.strong && waits(*site.code, in);
    site.order.reads = reads;
    site.order.writes = writes;
    all_.push_back(site);
  }
  entry = {&in, it->second, kind};
  return it->second;
}

}  // namespace emu::check
