// SPDX-License-Identifier: MIT
// Is anything lost, twice, invented or out of order? Many threads push values that are all
// different and pop what they get; every value that comes out is marked in a bitmap, and at the end
// what was left inside is taken out too. main.cu does it in small, soak.cu with 10^9 operations.
#pragma once

#include <cstdint>
#include <vector>

#include "common/program/structures.cuh"
#include "lessons/06_lock_free/owned.cuh"

namespace lesson06 {

// How a structure is exercised. Several instances side by side fill the GPU without more contention
// on each of them.
struct Exercise {
  std::uint32_t instances = 1;
  std::uint32_t threads = 32;     // of each instance
  std::uint32_t per_thread = 16;  // values that each thread pushes
  std::uint32_t capacity = 64;    // small: full and empty happen often
  std::uint32_t burst = 4;        // a thread pushes, then pops, up to so many in a row
  std::uint32_t seed = 1;
  std::uint32_t block = 256;

  __host__ __device__ std::uint32_t values() const {
    return threads * per_thread;
  }  // of each instance
  __host__ __device__ std::uint32_t words() const { return (values() + 31) / 32; }
  __host__ __device__ std::uint64_t all_threads() const {
    return std::uint64_t{instances} * threads;
  }
  unsigned blocks() const { return static_cast<unsigned>((all_threads() + block - 1) / block); }
};

struct Marks {
  std::uint32_t* seen;  // a bit for each value of each instance
  std::uint32_t* last;  // FIFO only: [thread][producer], the next number that may come; else null
  std::uint32_t* finished;  // threads that have pushed all they had
};
constexpr std::uint32_t kOrderRows = 2048;  // threads and producers whose order is checked

struct Account {
  unsigned long long pushed, popped, full, empty, twice, invented, disordered, stuck;
};

__device__ inline std::uint32_t scramble(std::uint32_t x) {  // a good mix of bits, "lowbias32"
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// One thread's view of an exercise.
struct Actor {
  const Exercise& e;
  const Marks& marks;
  std::uint32_t instance, me;
  Account account{};

  __device__ void came_out(std::uint32_t value) {
    ++account.popped;
    if (value >= e.values()) {
      ++account.invented;
      return;
    }
    const std::uint32_t bit = 1u << value % 32;
    std::uint32_t* const word = marks.seen + std::size_t{instance} * e.words() + value / 32;
    if ((atomicOr(word, bit) & bit) != 0) ++account.twice;
    // What one thread pushed must come to any one thread in the order it was pushed in.
    const std::uint32_t producer = value / e.per_thread, number = value % e.per_thread;
    const std::uint32_t rows = e.threads < kOrderRows ? e.threads : kOrderRows;
    if (marks.last == nullptr || me >= rows || producer >= rows) return;
    std::uint32_t& next = marks.last[(std::size_t{instance} * rows + me) * rows + producer];
    if (number < next) ++account.disordered;
    next = number + 1;
  }
};

// A structure that lost its nodes would be full and empty at once, for ever. So a thread that gets
// nothing done for this long, while no other thread finishes either, gives up and says so. (That others
// finish counts: of a thousand threads at a single slot one may be too late again and again.)
constexpr int kMostIdle = 1 << 16;

// A thread that was told "full" and "empty" lets others work, longer and longer.
__device__ inline void wait_idle(int rounds) {
  if (rounds > 0) __nanosleep(rounds < 256 ? 32 * rounds : 8192);
}

template <class S>
__global__ void exercise_kernel(const S* structures, Exercise e, Marks marks, Account* accounts) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= e.all_threads()) return;
  Actor actor{e, marks, static_cast<std::uint32_t>(thread / e.threads),
              static_cast<std::uint32_t>(thread % e.threads)};
  S structure = structures[actor.instance];
  std::uint32_t random = scramble(e.seed * 0x9e3779b9u + static_cast<std::uint32_t>(thread));
  std::uint32_t number = 0, finished = 0;
  for (int idle = 0; number < e.per_thread; ++idle) {
    random = scramble(random + 1);
    for (std::uint32_t i = random % e.burst + 1; i > 0 && number < e.per_thread; --i) {
      if (!structure.push(actor.me * e.per_thread + number)) {
        ++actor.account.full;
        break;
      }
      ++number;
      idle = 0;
    }
    for (std::uint32_t i = (random >> 16) % e.burst + 1; i > 0; --i) {
      std::uint32_t value = 0;
      if (!structure.pop(value)) {
        ++actor.account.empty;
        break;
      }
      actor.came_out(value);
      idle = 0;
    }
    wait_idle(idle);
    if (idle < kMostIdle) continue;
    const std::uint32_t now = *static_cast<volatile std::uint32_t*>(marks.finished);
    if (now == finished) {
      ++actor.account.stuck;
      break;
    }
    finished = now;
    idle = 0;
  }
  if (number == e.per_thread) atomicAdd(marks.finished, 1u);
  actor.account.pushed = number;
  accounts[thread] = actor.account;
}

// Takes out what is left. The bound is for structures with a ring where a list should be.
template <class S>
__global__ void drain_kernel(const S* structures, Exercise e, Marks marks, Account* accounts) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= e.all_threads()) return;
  Actor actor{e, marks, static_cast<std::uint32_t>(thread / e.threads),
              static_cast<std::uint32_t>(thread % e.threads)};
  S structure = structures[actor.instance];
  std::uint32_t value = 0;
  for (std::uint64_t i = 0; i < 2ull * e.capacity && structure.pop(value); ++i)
    actor.came_out(value);
  accounts[thread] = actor.account;
}

static __global__ void add_up_kernel(const std::uint32_t* seen, std::size_t words,
                                     const Account* accounts, std::uint64_t threads, Account* sums,
                                     unsigned long long* marked) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  unsigned long long bits = 0;
  for (std::size_t i = first; i < words; i += step) bits += __popc(seen[i]);
  if (bits > 0) atomicAdd(marked, bits);
  Account mine{};
  for (std::uint64_t i = first; i < threads; i += step) {
    const Account& a = accounts[i];
    mine.pushed += a.pushed, mine.popped += a.popped, mine.full += a.full;
    mine.empty += a.empty, mine.twice += a.twice, mine.invented += a.invented;
    mine.disordered += a.disordered, mine.stuck += a.stuck;
  }
  const auto* from = reinterpret_cast<const unsigned long long*>(&mine);
  auto* to = reinterpret_cast<unsigned long long*>(sums);
  for (unsigned k = 0; k < sizeof(Account) / sizeof *to; ++k)
    if (from[k] > 0) atomicAdd(to + k, from[k]);
}

template <class S>
__global__ void reset_instances(S* structures) {
  structures[blockIdx.x].reset(threadIdx.x, blockDim.x);
}

// Instances of a structure in one piece of memory.
template <class S>
class Instances {
 public:
  Instances(std::uint32_t count, std::uint32_t capacity)
      : stride_((S::bytes(capacity) + 127) / 128 * 128), memory_(stride_ * count), views_(count) {
    std::vector<S> views;
    views.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
      views.emplace_back(memory_.data() + i * stride_, capacity);
    views_.upload(views);
    reset_instances<<<count, 256>>>(views_.data());
    COURSE_CHECK(cudaGetLastError());
  }
  const S* data() const { return views_.data(); }

 private:
  std::size_t stride_;
  course::DeviceBuffer<std::byte> memory_;
  course::DeviceBuffer<S> views_;
};

struct Exercised {
  course::structures::Findings findings;
  Account account{};
};

// One exercise from an empty structure to an empty structure. `fifo`: check the order too.
template <class S>
Exercised exercise(const Exercise& e, bool fifo) {
  Instances<S> structures(e.instances, e.capacity);
  const std::size_t words = std::size_t{e.instances} * e.words();
  const std::size_t rows = std::min(e.threads, kOrderRows);
  course::DeviceBuffer<std::uint32_t> seen(words), last(fifo ? e.instances * rows * rows : 0);
  course::DeviceBuffer<Account> accounts(e.all_threads()), sums(1);
  course::DeviceBuffer<unsigned long long> marked(1);
  course::DeviceBuffer<std::uint32_t> finished(1);
  COURSE_CHECK(cudaMemset(seen.data(), 0, seen.bytes()));
  if (fifo) COURSE_CHECK(cudaMemset(last.data(), 0, last.bytes()));
  COURSE_CHECK(cudaMemset(sums.data(), 0, sums.bytes()));
  COURSE_CHECK(cudaMemset(marked.data(), 0, marked.bytes()));
  COURSE_CHECK(cudaMemset(finished.data(), 0, finished.bytes()));
  const Marks marks{seen.data(), last.data(), finished.data()};
  exercise_kernel<<<e.blocks(), e.block>>>(structures.data(), e, marks, accounts.data());
  COURSE_CHECK(cudaGetLastError());
  add_up_kernel<<<64, 256>>>(nullptr, 0, accounts.data(), accounts.size(), sums.data(),
                             marked.data());
  drain_kernel<<<e.blocks(), e.block>>>(structures.data(), e, marks, accounts.data());
  COURSE_CHECK(cudaGetLastError());
  add_up_kernel<<<64, 256>>>(seen.data(), words, accounts.data(), accounts.size(), sums.data(),
                             marked.data());
  COURSE_CHECK(cudaGetLastError());
  Exercised result;
  const Account a = result.account = sums.download()[0];
  result.findings = {a.pushed + a.popped,
                     a.pushed - marked.download()[0],
                     a.twice,
                     a.invented,
                     a.disordered,
                     a.stuck};
  return result;
}

}  // namespace lesson06
