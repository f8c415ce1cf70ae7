// SPDX-License-Identifier: MIT
// Memory order with nothing else around it: one block writes numbered messages and raises a flag
// for each, another waits for the flags, reads the messages and answers. One kernel, many ways to
// raise and see a flag: without order (wrong), with fences, with release and acquire, in each
// scope. A second kernel measures what raising a flag costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

namespace lesson06 {

// Messages 0 .. count-1: a word each, a flag each that is 1 when the word is written, and a flag
// each that is 1 when it was read (the answer).
struct Messages {
  static std::size_t bytes(std::uint32_t count) {
    return 3 * padded(count) * sizeof(std::uint32_t);
  }
  Messages(void* memory, std::uint32_t n)
      : data(static_cast<std::uint32_t*>(memory)),
        flags(data + padded(n)),
        answers(flags + padded(n)),
        count(n) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    for (std::size_t k = i; k < count; k += n) data[k] = flags[k] = answers[k] = 0;
  }
  static __host__ __device__ std::uint32_t text(std::uint32_t number) { return ~number; }

  std::uint32_t* data;
  std::uint32_t* flags;
  std::uint32_t* answers;
  std::uint32_t count;

 private:
  static std::size_t padded(std::uint32_t n) { return (std::size_t{n} + 31) / 32 * 32; }
};

// Wrong. `volatile` makes the loop look again and again (a plain load may be moved before the loop,
// which then never ends), and it skips the L1 cache. It orders nothing: the flag may become visible
// before the data, and the data may be read before the flag, or from a cache line that was fetched
// before the data came.
struct PlainFlag {
  static __device__ void raise(std::uint32_t* flag) {
    *static_cast<volatile std::uint32_t*>(flag) = 1;
  }
  static __device__ bool seen(std::uint32_t* flag) {
    return *static_cast<volatile std::uint32_t*>(flag) != 0;
  }
};

// Right, and how it was written before CUDA had C++ atomics. It takes a fence on both sides: one
// after the data and before the flag, one after the flag and before the data. A thread fence is
// the strongest there is at device scope (seq_cst).
struct ThreadFenceFlag {
  static __device__ void raise(std::uint32_t* flag) {
    __threadfence();
    PlainFlag::raise(flag);
  }
  static __device__ bool seen(std::uint32_t* flag) {
    const bool is = PlainFlag::seen(flag);
    __threadfence();
    return is;
  }
};

// Which threads an order holds for is its scope: the block, the GPU, or the GPU and the CPU and all
// other GPUs (system). Too narrow is wrong, too wide costs.
struct MessageOrders {
  static constexpr cuda::thread_scope scope = cuda::thread_scope_device;
  // What was written before the flag is visible to whoever sees the flag.
  static constexpr cuda::memory_order raise = cuda::memory_order_release;
  // What is read after the flag is at least as new as the flag.
  static constexpr cuda::memory_order see = cuda::memory_order_acquire;
};
struct RelaxedOrders : MessageOrders {  // wrong: the flag is an atomic, the data follow no order
  static constexpr cuda::memory_order raise = cuda::memory_order_relaxed;
  static constexpr cuda::memory_order see = cuda::memory_order_relaxed;
};
struct BlockOrders : MessageOrders {  // wrong between blocks: a block scope ends at the block
  static constexpr cuda::thread_scope scope = cuda::thread_scope_block;
};
struct SystemOrders : MessageOrders {  // right, and expensive: the CPU is asked to agree
  static constexpr cuda::thread_scope scope = cuda::thread_scope_system;
};
struct SeqCstOrders : MessageOrders {  // right, and too strong: nobody here needs one order of all
  static constexpr cuda::memory_order raise = cuda::memory_order_seq_cst;
  static constexpr cuda::memory_order see = cuda::memory_order_seq_cst;
};

// Right: the order is part of the operation on the flag.
template <class Orders = MessageOrders>
struct OrderedFlag {
  using Ref = cuda::atomic_ref<std::uint32_t, Orders::scope>;
  static __device__ void raise(std::uint32_t* flag) { Ref(*flag).store(1, Orders::raise); }
  static __device__ bool seen(std::uint32_t* flag) { return Ref(*flag).load(Orders::see) != 0; }
};

// The same with a fence of its own, as strong and as wide as asked, and a relaxed flag. A fence
// orders everything before it against everything after it, an ordered operation only its own flag.
template <cuda::memory_order kOrder, cuda::thread_scope kScope>
struct FenceFlag {
  using Ref = cuda::atomic_ref<std::uint32_t, kScope>;
  static __device__ void raise(std::uint32_t* flag) {
    cuda::atomic_thread_fence(kOrder, kScope);
    Ref(*flag).store(1, cuda::memory_order_relaxed);
  }
  static __device__ bool seen(std::uint32_t* flag) {
    const bool is = Ref(*flag).load(cuda::memory_order_relaxed) != 0;
    cuda::atomic_thread_fence(kOrder, kScope);
    return is;
  }
};

// Waits for a flag, but not for ever: with block scope between blocks, the flag may come from the
// L1 cache again and again, where it never changes. False: gave up.
constexpr unsigned kPatience = 1 << 20;

template <class Flag>
__device__ bool wait_for(std::uint32_t* flag) {
  for (unsigned looks = 0; looks < kPatience; ++looks)
    if (Flag::seen(flag)) return true;
  return false;
}

// Two blocks. Thread t of block 0 writes a run of messages, thread t of block 1 reads the same run
// and answers each; the next is written after the answer. The words of a run lie side by side: a
// piece of a cache line that was fetched for one message holds what the next ones were at that
// time. `wrong` counts the messages that were not what was sent, or never came.
template <class Flag>
__global__ void pass_messages(Messages m, unsigned* wrong) {
  const std::uint64_t run = (std::uint64_t{m.count} + blockDim.x - 1) / blockDim.x;
  const std::uint64_t begin = run * threadIdx.x;
  const std::uint64_t end = begin + run < m.count ? begin + run : m.count;
  std::uint64_t mistakes = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    const auto text = Messages::text(static_cast<std::uint32_t>(i));
    if (blockIdx.x == 0) {
      if (i > begin && !wait_for<Flag>(m.answers + i - 1)) break;
      m.data[i] = text;
      Flag::raise(m.flags + i);
    } else if (wait_for<Flag>(m.flags + i)) {
      mistakes += m.data[i] != text;
      Flag::raise(m.answers + i);
    } else {
      mistakes += end - i;
      break;
    }
  }
  if (mistakes != 0) atomicAdd(wrong, static_cast<unsigned>(mistakes));
}

// What raising a flag costs a thread that has just written `kLines` cache lines: the clock cycles
// of `rounds` flags, for each thread. `words` has kLines + 1 lines of 32 words for each thread.
// With one thread the fence waits for its own writes; with many also for theirs.
constexpr unsigned kLines = 4;

template <class Flag>
__global__ void flag_cost(std::uint32_t* words, unsigned rounds, long long* cycles) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint32_t* const mine = words + thread * (kLines + 1) * 32;
  long long sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned line = 0; line < kLines; ++line) mine[line * 32] = round;
    const long long start = clock64();
    Flag::raise(mine + kLines * 32);
    sum += clock64() - start;
  }
  cycles[thread] = sum;
}

}  // namespace lesson06
