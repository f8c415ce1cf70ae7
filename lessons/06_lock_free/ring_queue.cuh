// SPDX-License-Identifier: MIT
// A bounded first-in first-out queue for many producers and many consumers: a ring of slots, each
// with its turn. RingQueue: every thread for itself. WarpRingQueue: one lane reserves for all lanes
// that are here with it. Nothing but this file is needed.
//
// A push or pop passes three places. Nobody ever repeats a compare-and-swap:
//   1. a count says how many may enter (free slots, filled slots). Too few: full or empty;
//   2. an end (tail, head) deals out tickets. Here the operation takes effect. Ticket t belongs to
//      slot t % capacity, in round t / capacity;
//   3. the slot has a turn: 2 * round when it is free for that round's push, one more when it is
//      filled for that round's pop. Whoever comes early waits for the one before it in this slot.
// Step 3 waits, so the queue is not lock-free in the strict sense: a thread that stopped for good
// between 2 and 3 would stop those behind it. But it only waits for threads that already hold their
// ticket, and these wait for nothing but earlier tickets: it cannot hang. Threads of one warp may
// wait for each other; that needs the thread scheduling of compute capability 7.0 and later.
//
// Widths. A ticket has 64 bits: it does not wrap within a lifetime of the machine. (32 bits would
// wrap, and at 2^32 the slot t % capacity jumps unless capacity is a power of two.) A turn has 32
// bits and does wrap: harmless, since it is only compared for equality and a slot would have to be
// 2^31 rounds late to be mistaken, which takes as many waiting threads.
#pragma once

#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

namespace lesson06 {

struct RingOrders {
  static constexpr auto kScope = cuda::thread_scope_device;
  // The turn of a slot, seen: what the one before wrote into the slot is there (a pop reads the
  // value), and what it read has been read (a push may overwrite it).
  static constexpr auto kSeeTurn = cuda::memory_order_acquire;
  // The turn, passed on: the other half of kSeeTurn.
  static constexpr auto kPassTurn = cuda::memory_order_release;
  // Ticket taken: whoever reads this end to prove something (below) knows of all operations that
  // this thread knew of. Without it "empty" could be answered although an element was there all the
  // time: the newest head, and beside it a tail from before a push that ended long ago.
  static constexpr auto kTakeTicket = cuda::memory_order_release;
  // The ends, read to prove "empty" or "full": kProof between the two reads orders them.
  static constexpr auto kReadEnd = cuda::memory_order_relaxed;
  // The fence between the two. Acquire would do for one proof: the second end is read after the
  // first. But a push and a pop at the same time may then be seen in opposite orders by two
  // threads: one proves "empty", the other "full", and no order of the operations explains both.
  // Fences of this order have one order for all. (The memory model demands it; a GPU whose blocks
  // meet in one L2 cache would hardly show it.) Only a thread that is turned away pays.
  static constexpr auto kProof = cuda::memory_order_seq_cst;
  // The counts guard no data. All they promise is that somebody has taken, or is about to take, the
  // ticket that the other side will wait for; the slot does the rest.
  static constexpr auto kCount = cuda::memory_order_relaxed;
};

// A slot in two steps: the value is an ordinary variable, and the turn says who may touch it. Works
// for a value of any type.
template <class Orders>
class alignas(8) TurnSlot {
 public:
  using Value = std::uint32_t;
  __device__ void reset(std::uint32_t turn) { turn_ = turn, value_ = 0; }
  __device__ bool try_put(std::uint32_t turn, std::uint32_t value) {
    Ref mine(turn_);
    if (mine.load(Orders::kSeeTurn) != turn) return false;
    value_ = value;
    mine.store(turn + 1, Orders::kPassTurn);
    return true;
  }
  __device__ bool try_take(std::uint32_t turn, std::uint32_t& value) {
    Ref mine(turn_);
    if (mine.load(Orders::kSeeTurn) != turn + 1) return false;
    value = value_;
    mine.store(turn + 2, Orders::kPassTurn);
    return true;
  }

 private:
  using Ref = cuda::atomic_ref<std::uint32_t, Orders::kScope>;
  std::uint32_t turn_;
  std::uint32_t value_;
};

// The same 8 bytes in one step: turn and value travel in one word, so whoever sees the turn has the
// value, and no order is needed: no fence to wait for, one trip less. Only for values of 32 bits.
template <class Orders>
class WordSlot {
 public:
  using Value = std::uint32_t;
  __device__ void reset(std::uint32_t turn) { word_ = turn; }
  __device__ bool try_put(std::uint32_t turn, std::uint32_t value) {
    Ref mine(word_);
    if (turn_of(mine.load(cuda::memory_order_relaxed)) != turn) return false;
    mine.store(Word{value} << 32 | (turn + 1), cuda::memory_order_relaxed);
    return true;
  }
  __device__ bool try_take(std::uint32_t turn, std::uint32_t& value) {
    Ref mine(word_);
    const Word seen = mine.load(cuda::memory_order_relaxed);
    if (turn_of(seen) != turn + 1) return false;
    value = static_cast<std::uint32_t>(seen >> 32);
    mine.store(turn + 2, cuda::memory_order_relaxed);
    return true;
  }

 private:
  using Word = unsigned long long;
  using Ref = cuda::atomic_ref<Word, Orders::kScope>;
  static __device__ std::uint32_t turn_of(Word word) { return static_cast<std::uint32_t>(word); }
  Word word_;
};

// Who reserves together: nobody else, or all lanes of the warp that are here at this moment.
struct Alone {
  __device__ std::uint32_t rank() const { return 0; }
  __device__ std::uint32_t size() const { return 1; }
  __device__ std::uint32_t from_leader(std::uint32_t value) const { return value; }
  __device__ void sync() const {}
};
struct Together {
  cooperative_groups::coalesced_group lanes = cooperative_groups::coalesced_threads();
  __device__ std::uint32_t rank() const { return lanes.thread_rank(); }
  __device__ std::uint32_t size() const { return lanes.size(); }
  __device__ std::uint32_t from_leader(std::uint32_t value) const { return lanes.shfl(value, 0); }
  __device__ void sync() const { lanes.sync(); }
};

template <class Orders, class Group, template <class> class SlotOf>
class Ring {
 public:
  using Ticket = unsigned long long;
  using Value = typename SlotOf<Orders>::Value;
  static __host__ __device__ std::size_t bytes(std::uint32_t capacity) {
    return sizeof(Words) + capacity * sizeof(Slot);
  }
  // Any capacity from 1 on. `first` is the first ticket: tests let the turns wrap with it.
  __host__ __device__ Ring(void* memory, std::uint32_t capacity, Ticket first = 0)
      : words_(static_cast<Words*>(memory)),
        slots_(reinterpret_cast<Slot*>(words_ + 1)),
        capacity_(capacity),
        first_(first) {}

  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    if (i == 0) {
      words_->free = capacity_, words_->filled = 0;
      words_->tail = words_->head = first_;
    }
    for (std::size_t s = i; s < capacity_; s += n)  // slots behind the first start a round later
      slots_[s].reset(turn_of(first_) + (s < first_ % capacity_ ? 2 : 0));
  }

  __device__ bool push(Value value) {
    return pass(
        words_->free, words_->tail, words_->filled,
        [&](Slot& slot, std::uint32_t turn) { return slot.try_put(turn, value); },
        [&] { return is_full(); });
  }
  __device__ bool pop(Value& value) {
    return pass(
        words_->filled, words_->head, words_->free,
        [&](Slot& slot, std::uint32_t turn) { return slot.try_take(turn, value); },
        [&] { return is_empty(); });
  }
  // About how many values are inside: a hint for who looks for some, and no proof of anything.
  __device__ long long about() const { return Ref<Count>(words_->filled).load(Orders::kCount); }

 private:
  using Slot = SlotOf<Orders>;
  using Count = long long;
  template <class T>
  using Ref = cuda::atomic_ref<T, Orders::kScope>;
  struct Words {  // each on a line of its own: they are the hottest words of all
    alignas(128) Count free;
    alignas(128) Count filled;
    alignas(128) Ticket tail;
    alignas(128) Ticket head;
  };
  struct Claim {  // `count` slots in a row, the first at `index` with this `turn`
    std::uint32_t count = 0, index = 0, turn = 0;
  };

  // One operation of every thread of the group. use(slot, turn) is true when it is done.
  template <class Use, class Hopeless>
  __device__ bool pass(Count& from, Ticket& end, Count& to, Use use, Hopeless hopeless) {
    for (unsigned ns = kShortest;; pause(ns)) {
      const Group group;
      const Claim mine = claim(group, from, end);
      const bool served = group.rank() < mine.count;
      if (served) work(mine, group.rank(), use);
      group.sync();
      if (group.rank() == 0 && served) Ref<Count>(to).fetch_add(mine.count, Orders::kCount);
      if (served) return true;
      if (mine.count == 0 && group.from_leader(group.rank() == 0 && hopeless())) return false;
    }
  }

  // The leader takes tickets for as many as may enter, and tells the others.
  __device__ Claim claim(const Group& group, Count& from, Ticket& end) {
    Claim claim;
    if (group.rank() == 0) {
      claim.count = enter(from, group.size());
      if (claim.count > 0) {
        const Ticket ticket = Ref<Ticket>(end).fetch_add(claim.count, Orders::kTakeTicket);
        const Ticket round = ticket / capacity_;  // the only division
        claim.turn = static_cast<std::uint32_t>(2 * round);
        claim.index = static_cast<std::uint32_t>(ticket - round * capacity_);
      }
    }
    return {group.from_leader(claim.count), group.from_leader(claim.index),
            group.from_leader(claim.turn)};
  }

  // How many of `wanted` may enter. The first look keeps those who wait for an empty (or full)
  // queue from disturbing those who work. Who took too many puts the rest back; meanwhile the count
  // is too small, perhaps negative, and others fail to enter: that is no proof of "empty", they try
  // again.
  __device__ static std::uint32_t enter(Count& count, std::uint32_t wanted) {
    Ref<Count> left(count);
    if (left.load(Orders::kCount) <= 0) return 0;
    const Count before = left.fetch_sub(wanted, Orders::kCount);
    const Count got = before < 0 ? 0 : before < wanted ? before : wanted;
    if (got < wanted) left.fetch_add(wanted - got, Orders::kCount);
    return static_cast<std::uint32_t>(got);
  }

  // A lane whose slot is ready uses it at once, inside the loop, and not when the last lane of the
  // group is ready: another group may be waiting for just this slot.
  template <class Use>
  __device__ void work(const Claim& claim, std::uint32_t rank, Use use) {
    std::uint64_t index = std::uint64_t{claim.index} + rank;  // less than twice the capacity
    const bool next_round = index >= capacity_;
    if (next_round) index -= capacity_;
    const std::uint32_t turn = claim.turn + (next_round ? 2 : 0);
    for (unsigned ns = kShortest; !use(slots_[index], turn); pause(ns)) {
    }
  }

  // Both ends only grow. The one that could hide the answer is read last.
  __device__ bool is_empty() const {
    const Ticket head = Ref<Ticket>(words_->head).load(Orders::kReadEnd);
    cuda::atomic_thread_fence(Orders::kProof, Orders::kScope);
    return Ref<Ticket>(words_->tail).load(Orders::kReadEnd) <= head;
  }
  __device__ bool is_full() const {
    const Ticket tail = Ref<Ticket>(words_->tail).load(Orders::kReadEnd);
    cuda::atomic_thread_fence(Orders::kProof, Orders::kScope);
    return Ref<Ticket>(words_->head).load(Orders::kReadEnd) + capacity_ <= tail;
  }

  __device__ std::uint32_t turn_of(Ticket ticket) const {
    return static_cast<std::uint32_t>(2 * (ticket / capacity_));
  }

  static constexpr unsigned kShortest = 32, kLongest = 4096;  // ns
  __device__ static void pause(unsigned& ns) {
    __nanosleep(ns);
    if (ns < kLongest) ns *= 2;
  }

  Words* words_;
  Slot* slots_;
  std::uint32_t capacity_;
  Ticket first_;
};

template <class Orders = RingOrders, template <class> class SlotOf = TurnSlot>
using RingQueue = Ring<Orders, Alone, SlotOf>;

// Changed: one lane takes the tickets of all lanes of its warp that are here with it.
// Why:     one addition to each hot word in place of 32. The lanes' slots lie side by side: one
//          access for the warp.
// Cost:    three shuffles, and the group waits for its slowest lane.
template <class Orders = RingOrders, template <class> class SlotOf = TurnSlot>
using WarpRingQueue = Ring<Orders, Together, SlotOf>;

}  // namespace lesson06
