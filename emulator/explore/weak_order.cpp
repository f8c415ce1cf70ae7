// SPDX-License-Identifier: MIT
// From the modifiers of a memory instruction to its order and scope (PTX 9.0, chapter 8).
#include "explore/weak_order.hpp"

namespace emu::exec {
namespace {

using ptx::Row;

// `otherwise`: where it names none.
Scope scope_of(const ptx::Instruction& ins, bool one_block_clusters, Scope otherwise) {
  if (ins.has("sys")) return Scope::System;
  if (ins.has("gpu") || ins.has("gl")) return Scope::Gpu;
  if (ins.has("cluster")) return one_block_clusters ? Scope::Block : Scope::Cluster;
  return ins.has("cta") ? Scope::Block : otherwise;
}

void take_sem(const ptx::Instruction& ins, Order& order) {
  order.acquire = ins.has("acquire") || ins.has("acq_rel");
  order.release = ins.has("release") || ins.has("acq_rel");
}

Order of_access(const ptx::Instruction& ins, Order::Kind kind, bool one_block_clusters) {
  Order order;
  order.kind = kind;
  take_sem(ins, order);
  if (ins.has("volatile") || ins.has("mmio")) {  // as relaxed.sys
    order.strong = true;
    order.scope = Scope::System;
    order.acquire = order.release = false;
    return order;
  }
  order.strong =
      kind == Order::Kind::Atomic || order.acquire || order.release || ins.has("relaxed");
  order.scope = scope_of(ins, one_block_clusters, order.strong ? Scope::Gpu : Scope::Block);
  return order;
}

Order of_fence(const ptx::Instruction& ins, bool one_block_clusters) {
  Order order;
  order.kind = Order::Kind::Fence;
  order.strong = true;
  order.scope = scope_of(ins, one_block_clusters, Scope::Block);
  take_sem(ins, order);
  if (!order.acquire && !order.release) order.acquire = order.release = true;
  order.sequential = ins.row == Row::membar || ins.has("sc");
  return order;
}

}  // namespace

Order order_of(const Instr& in, bool one_block_clusters) {
  const ptx::Instruction& ins = *in.source;
  switch (ptx::info(in.row).others) {
    case ptx::Others::Load:
      return of_access(ins, Order::Kind::Load, one_block_clusters);
    case ptx::Others::Store:
      return of_access(ins, Order::Kind::Store, one_block_clusters);
    case ptx::Others::Atomic:
      return of_access(ins, Order::Kind::Atomic, one_block_clusters);
    case ptx::Others::Fence:
      return of_fence(ins, one_block_clusters);
    case ptx::Others::ProxyFence:
      if (ins.has("acquire") || ins.has("release")) return of_fence(ins, one_block_clusters);
      return {};
    case ptx::Others::Arrive:
      return {Order::Kind::MbarrierArrive};
    case ptx::Others::Wait:
      return {Order::Kind::MbarrierWait};
    default:  // what the weak mode leaves strong
      return {};
  }
}

}  // namespace emu::exec
