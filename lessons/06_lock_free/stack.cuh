// SPDX-License-Identifier: MIT
// A stack (last in, first out) of 32-bit values in a fixed pool of nodes that any thread of the
// grid may push to and pop from. Three of them: NaiveStack (as it is usually written; it loses
// elements), Stack (a version beside the index in one 64-bit head), WarpStack (one CAS for a whole
// warp).
//
// push says false where no node is free: each of the `capacity` nodes holds an element or is in the
// hands of an operation that has not returned yet (each holds one at most). With nothing else under
// way that is: `capacity` elements. pop says false where the stack was empty at that moment.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

namespace lesson06 {

// The node after the last one. Nodes are numbered: an index is half as wide as a pointer.
constexpr std::uint32_t kNone = 0xffffffff;

struct alignas(8) Node {
  std::uint32_t next;
  std::uint32_t value;
};

// The orders of Stack and WarpStack. A test weakens each of them and shows what breaks.
struct StackOrders {
  // All threads of the GPU may meet at one stack. With block scope, a thread on another SM may find
  // old values in its own L1 cache.
  static constexpr cuda::thread_scope scope = cuda::thread_scope_device;

  // push, the CAS that makes the node the head: whoever sees it there sees its value and its next,
  // both written before. The CASes of others that follow, of whatever order, do not break this:
  // they are read-modify-writes, and a release lasts through them (a release sequence).
  static constexpr cuda::memory_order publish = cuda::memory_order_release;

  // pop, the load of the head: the other half of `publish`. Without it, next may be one of the
  // node's former life: the CAS succeeds (the head is the same) and a part of the stack is gone.
  static constexpr cuda::memory_order observe = cuda::memory_order_acquire;

  // The free list is a stack too, of nodes without value. Its pair carries next, and hands the node
  // over: who gives it back has read its value before the next owner writes one.
  static constexpr cuda::memory_order free_publish = cuda::memory_order_release;
  static constexpr cuda::memory_order free_observe = cuda::memory_order_acquire;
};

// A list of nodes: a head in one 64-bit word, the index of the first node below, a version above.
// The version counts the changes, so a CAS succeeds only if nothing at all happened since the load:
// not even "taken and put back" (ABA). Limit: it starts again after 2^32 changes. A thread that
// sleeps between its load and its CAS while exactly 2^32 (or 2 * 2^32, ...) changes happen, and
// finds the same node first, is fooled. At 10^9 changes per second that is a sleep of 4.3 s, to the
// nanosecond.
template <cuda::thread_scope kScope, cuda::memory_order kPublish, cuda::memory_order kObserve>
class VersionedList {
 public:
  using Word = std::uint64_t;

  __device__ VersionedList(Word* head, Node* nodes, std::uint32_t capacity)
      : head_(head), nodes_(nodes), capacity_(capacity) {}

  static __device__ Word pack(std::uint32_t index, std::uint32_t version) {
    return Word{version} << 32 | index;
  }

  // Removes the first node; kNone: there was none.
  __device__ std::uint32_t take() const {
    for (unsigned wait = kFirstWait;; wait = back_off(wait)) {
      Word seen = Head(*head_).load(kObserve);
      const std::uint32_t first = index_of(seen);
      if (first == kNone) return kNone;
      // Another thread may take `first` and write its next just now. So the read is atomic, but it
      // needs no order: what it brings counts only if the CAS finds the version of `seen`.
      const std::uint32_t next = Next(nodes_[first].next).load(cuda::memory_order_relaxed);
      // Relaxed: it publishes nothing, and all it needs to see came with `seen`.
      if (change(seen, next, cuda::memory_order_relaxed)) return first;
    }
  }

  // Puts a chain of nodes, linked from first to last, before the first node. The nodes are ours.
  __device__ void give(std::uint32_t first, std::uint32_t last) const {
    for (unsigned wait = kFirstWait;; wait = back_off(wait)) {
      // Relaxed: the index is stored, nothing is read through it.
      Word seen = Head(*head_).load(cuda::memory_order_relaxed);
      // Atomic, because a thread in take() may still look at a node that is no longer there.
      Next(nodes_[last].next).store(index_of(seen), cuda::memory_order_relaxed);
      if (change(seen, first, kPublish)) return;
    }
  }

  // The lanes of a group take a chain with one CAS: as many nodes as lanes, or all there are. Says
  // how many; lane r has the r-th in `mine`.
  //
  // The list may change under the walk, which then runs into another list or the same node twice.
  // No harm: it reads indices only (every next is a node or kNone), it ends after one node per
  // lane, and the version makes the CAS fail. If the CAS succeeds, nothing changed between load and
  // CAS, so the chain was the list's.
  //
  // A walk node by node is one trip to the L2 cache each. Nodes that lie side by side usually
  // follow each other, so the lanes guess that they do, look at all links at once, and keep what
  // was right.
  template <class Group>
  __device__ unsigned take_chain(const Group& group, std::uint32_t& mine) const {
    const unsigned rank = group.thread_rank();
    for (unsigned wait = kFirstWait;; wait = back_off(wait)) {
      // What any lane did before, lane 0 sees now. Without this a lane could push and then, in a
      // group that another lane leads, be told that the stack is empty.
      group.sync();
      Word seen = 0;
      if (rank == 0) seen = Head(*head_).load(kObserve);
      seen = group.shfl(seen, 0);
      group.sync();  // a shuffle orders no memory; after this, all lanes see what lane 0 may see
      std::uint32_t after = index_of(seen);
      unsigned found = 0;
      while (found < group.num_threads() && after != kNone) walk(group, after, found, mine);
      bool done = found == 0;
      if (rank == 0 && !done) done = change(seen, after, cuda::memory_order_relaxed);
      if (group.shfl(done, 0)) return found;
    }
  }

  // The first `count` lanes of a group give back the chain they took. Nobody returns before the
  // nodes are in the list: the operation of each lane ends with the CAS of lane 0.
  template <class Group>
  __device__ void give_chain(const Group& group, std::uint32_t mine, unsigned count) const {
    if (count == 0) return;
    const std::uint32_t last = group.shfl(mine, count - 1);
    group.sync();  // what the lanes wrote comes before the release of lane 0
    if (group.thread_rank() == 0) give(mine, last);
    group.sync();
  }

 private:
  using Head = cuda::atomic_ref<Word, kScope>;
  using Next = cuda::atomic_ref<std::uint32_t, kScope>;
  static constexpr unsigned kFirstWait = 32;  // nanoseconds
  static constexpr unsigned kLastWait = 4096;

  static __device__ unsigned back_off(unsigned wait) {
    __nanosleep(wait);
    return wait < kLastWait ? 2 * wait : wait;
  }
  static __device__ std::uint32_t index_of(Word head) { return static_cast<std::uint32_t>(head); }

  // Makes `first` the first node if the head is still `seen`. The version wraps to 0 by itself.
  __device__ bool change(Word seen, std::uint32_t first, cuda::memory_order order) const {
    const auto version = static_cast<std::uint32_t>(seen >> 32);
    return Head(*head_).compare_exchange_strong(seen, pack(first, version + 1), order,
                                                cuda::memory_order_relaxed);
  }

  // `found` lanes have their node, `after` is the next. Finds one more at least.
  template <class Group>
  __device__ void walk(const Group& group, std::uint32_t& after, unsigned& found,
                       std::uint32_t& mine) const {
    const unsigned rank = group.thread_rank();
    const bool looking = rank >= found;
    const std::uint32_t guess = after + (rank - found);
    std::uint32_t next = kNone;
    if (looking && guess < capacity_)
      next = Next(nodes_[guess].next).load(cuda::memory_order_relaxed);
    const bool goes_on = next < capacity_ && next == guess + 1;
    const unsigned end = looking && !goes_on ? rank : group.num_threads() - 1;
    const unsigned last =
        cooperative_groups::reduce(group, end, cooperative_groups::less<unsigned>());
    if (looking && rank <= last) mine = guess;
    after = group.shfl(next, last);
    found = last + 1;
  }

  Word* head_;
  Node* nodes_;
  std::uint32_t capacity_;
};

// The memory that the three stacks share: two heads, each on a cache line of its own, and the
// nodes.
struct StackMemory {
  static constexpr std::size_t kLine = 128;

  static std::size_t bytes(std::uint32_t capacity) {
    return 2 * kLine + std::size_t{capacity} * sizeof(Node);
  }
  StackMemory(void* memory, std::uint32_t n) : capacity(n) {
    auto* const bytes = static_cast<std::byte*>(memory);
    head = reinterpret_cast<std::uint64_t*>(bytes);
    free = reinterpret_cast<std::uint64_t*>(bytes + kLine);
    nodes = reinterpret_cast<Node*>(bytes + 2 * kLine);
  }
  // Empty: no node in the stack, all in the free list, in their order.
  __device__ void reset(std::uint32_t i, std::uint32_t n, std::uint32_t version) const {
    for (std::size_t k = i; k < capacity; k += n)
      nodes[k] = {k + 1 < capacity ? static_cast<std::uint32_t>(k + 1) : kNone, 0};
    if (i != 0) return;
    *head = std::uint64_t{version} << 32 | kNone;
    *free = std::uint64_t{version} << 32 | (capacity > 0 ? 0 : kNone);
  }

  std::uint64_t* head;
  std::uint64_t* free;
  Node* nodes;
  std::uint32_t capacity;
};

// The naive stack: the head is an index. All orders are right, and still it loses elements: a
// thread in take() has read the head (node 5) and its next (node 3). Before its CAS, others pop 5
// and 3 and push 5 again. The head is 5 as before, the CAS succeeds, and the head is now 3: a node
// of somebody else, or a free one. What was below 5 is lost. A, B, A: the value is the same, the
// world is not. After that anything may happen, even a stack that never gets empty: a test that
// drains it must count.
class NaiveStack {
 public:
  static std::size_t bytes(std::uint32_t capacity) { return StackMemory::bytes(capacity); }
  NaiveStack(void* memory, std::uint32_t capacity) : memory_(memory, capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) { memory_.reset(i, n, 0); }

  __device__ bool push(std::uint32_t value) {
    const std::uint32_t node = take(memory_.free);
    if (node == kNone) return false;
    memory_.nodes[node].value = value;
    give(memory_.head, node);
    return true;
  }
  __device__ bool pop(std::uint32_t& value) {
    const std::uint32_t node = take(memory_.head);
    if (node == kNone) return false;
    value = memory_.nodes[node].value;
    give(memory_.free, node);
    return true;
  }

 private:
  using Index = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;

  // The lower half of a head word is the index; the upper one stays unused here.
  static __device__ Index index_in(std::uint64_t* head) {
    return Index(*reinterpret_cast<std::uint32_t*>(head));
  }
  __device__ std::uint32_t take(std::uint64_t* head) const {
    std::uint32_t first = index_in(head).load(cuda::memory_order_acquire);
    while (first != kNone) {
      const std::uint32_t next = Index(memory_.nodes[first].next).load(cuda::memory_order_relaxed);
      // The bug is here: "the head is first again" is taken for "the head is first still".
      if (index_in(head).compare_exchange_strong(first, next, cuda::memory_order_acquire)) break;
    }
    return first;
  }
  __device__ void give(std::uint64_t* head, std::uint32_t node) const {
    std::uint32_t first = index_in(head).load(cuda::memory_order_relaxed);
    do {
      Index(memory_.nodes[node].next).store(first, cuda::memory_order_relaxed);
    } while (!index_in(head).compare_exchange_strong(first, node, cuda::memory_order_release,
                                                     cuda::memory_order_relaxed));
  }

  StackMemory memory_;
};

// Changed: the head carries a version.
// Why:     a CAS on an index cannot tell "still" from "again".
// Cost:    a CAS of 64 bits instead of 32, which the GPU does in the same time.
template <class Orders = StackOrders>
class Stack {
 public:
  static std::size_t bytes(std::uint32_t capacity) { return StackMemory::bytes(capacity); }
  // Tests start at a version just before 2^32, where it wraps.
  Stack(void* memory, std::uint32_t capacity, std::uint32_t first_version = 0)
      : memory_(memory, capacity), first_version_(first_version) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) { memory_.reset(i, n, first_version_); }

  __device__ bool push(std::uint32_t value) {
    const std::uint32_t node = free().take();
    if (node == kNone) return false;
    memory_.nodes[node].value = value;  // plain: the node is ours
    elements().give(node, node);
    return true;
  }
  __device__ bool pop(std::uint32_t& value) {
    const std::uint32_t node = elements().take();
    if (node == kNone) return false;
    value = memory_.nodes[node].value;
    free().give(node, node);
    return true;
  }

 protected:
  using Elements = VersionedList<Orders::scope, Orders::publish, Orders::observe>;
  using Free = VersionedList<Orders::scope, Orders::free_publish, Orders::free_observe>;
  __device__ Elements elements() const { return {memory_.head, memory_.nodes, memory_.capacity}; }
  __device__ Free free() const { return {memory_.free, memory_.nodes, memory_.capacity}; }

  StackMemory memory_;
  std::uint32_t first_version_;
};

// Changed: the lanes that are here together take a chain of nodes, and push it, with one CAS each.
// Why:     all CASes of a stack meet at one word, one after the other: only fewer of them help.
// Cost:    a walk along the list, in which any change by others makes the CAS fail.
template <class Orders = StackOrders>
class WarpStack : public Stack<Orders> {
 public:
  using Stack<Orders>::Stack;

  __device__ bool push(std::uint32_t value) {
    const auto group = cooperative_groups::coalesced_threads();
    std::uint32_t node = kNone;
    const unsigned got = this->free().take_chain(group, node);
    const bool mine = group.thread_rank() < got;  // the others found no free node
    if (mine) this->memory_.nodes[node].value = value;
    this->elements().give_chain(group, node, got);
    return mine;
  }
  __device__ bool pop(std::uint32_t& value) {
    const auto group = cooperative_groups::coalesced_threads();
    std::uint32_t node = kNone;
    const unsigned got = this->elements().take_chain(group, node);
    const bool mine = group.thread_rank() < got;
    if (mine) value = this->memory_.nodes[node].value;
    this->free().give_chain(group, node, got);
    return mine;
  }
};

}  // namespace lesson06
