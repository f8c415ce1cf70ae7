// SPDX-License-Identifier: MIT
// What a warp does under the scheduler: look for tasks, run 32 at a time, share what is too much.
#pragma once

#include "lessons/12_task_scheduler/scheduler.cuh"

namespace lesson12 {

// Watches a worker: nothing, unless somebody wants to draw it (idle.cu).
struct Unwatched {
  __device__ void began() {}
  __device__ void ran(std::uint32_t) {}
  __device__ void idle() {}
};

template <class Job, class How, class Orders, class Watch = Unwatched>
class Worker {
  using S = Scheduler<Job, How, Orders>;
  static constexpr std::uint32_t kLevels = Job::kLevels;
  static_assert(How::kMergeEvery > 1 && How::kPoor <= 32, "between two hand-overs a batch is run");

 public:
  __device__ Worker(const S& s, Job& job, void* memory, SchedulerWords* words, Watch watch)
      : s_(s), job_(job), stacks_(memory), words_(words), watch_(watch) {
    const unsigned long long share = (s.root_count + s.blocks - 1) / s.blocks;
    root_end_ = How::kSteal ? s.root_count : min(s.root_count, (blockIdx.x + 1) * share);
    // A batch, or where there are few roots so many that every fourth warp gets some.
    roots_ = static_cast<unsigned>(min(32ull, s.root_count * 4 / (s.blocks * S::kWarps) + 1));
  }

  // The queue's code stands in one place for taking and one for giving: the loop stays short.
  __device__ void work() {
    for (unsigned step = 0;; ++step) {
      if (step % kLookEvery == 0 && stopped()) break;
      if (poor(step) && merge()) continue;
      if (stacks_.largest() < 32) fill_up();
      const std::uint32_t level =
          Job::kUrgentFirst ? stacks_.first_filled(job_.first_level()) : stacks_.fullest();
      if (level < kLevels) {
        ns_ = kShortest;
        share();
        if (!run_batch(level)) break;
      } else if (!wait()) {
        break;
      }
    }
    if (stopped()) leave();
    job_.finish();
  }

 private:
  __device__ bool leads() const { return lane_number() == 0; }
  __device__ auto queue(std::uint32_t block, std::uint32_t level) const {
    return s_.queues[block * kLevels + level];
  }
  __device__ void add_outstanding(long long change) {
    if (leads() && change != 0) WordOf<long long>(words_->outstanding).fetch_add(change, kRelaxed);
  }
  __device__ void stop(Ended why) {
    if (leads()) WordOf<unsigned>(words_->stop).store(static_cast<unsigned>(why), kRelaxed);
  }
  // What one lane reads decides for all: two that read a word for themselves may see two values.
  template <class T>
  static __device__ T read_for_all(T& word) {
    return __shfl_sync(kAllLanes, WordOf<T>(word).load(kRelaxed), 0);
  }
  __device__ bool stopped() const {
    return read_for_all(words_->stop) != static_cast<unsigned>(Ended::Done);
  }
  // `count` tasks came to this warp from where they were counted.
  __device__ void taken(std::uint32_t count) {
    add_outstanding((busy_ ? 0 : 1) - count * SchedulerWords::kLying);
    busy_ = true, lying_ = false;
  }
  // The own block's queues: lane l looks at level l. Where nothing depends on the answer yet, nobody waits for it.
  __device__ long long ask_own() const {
    return lane_number() < kLevels ? queue(blockIdx.x, lane_number()).about() : 0;
  }
  __device__ void answered(long long in_level) {
    filled_ = __ballot_sync(kAllLanes, in_level > 0);
    few_ = __ballot_sync(kAllLanes, in_level < How::kOffer);
  }

  // ---- where tasks come from

  struct Source {
    std::uint32_t block, level;  // level kLevels: none
  };
  __device__ static std::uint32_t around(std::uint32_t first, std::uint32_t l) {
    return first + l < kLevels ? first + l : first + l - kLevels;
  }
  __device__ std::uint32_t most_urgent() { return Job::kUrgentFirst ? job_.first_level() : 0; }
  // Less than a batch is left: roots, which cost one addition, or tasks from a queue; first from the queue where much
  // lies there. A warp that still has some asks nobody: it knows what its block's queue had before the last batch.
  __device__ void fill_up() {
    if (~few_ == 0) take_roots();
    if (stacks_.largest() >= 32) return;
    const bool hungry = stacks_.largest() == 0;
    if (hungry && !busy_ && !lying_) return;
    if (hungry) answered(ask_own());
    Source from = own_queue();
    if (How::kSteal && hungry && lying_ && from.level == kLevels) from = other_queue();
    if (from.level < kLevels) take_from(from);
  }
  // The same in all lanes: whoever reserves together must mean the same queue.
  __device__ std::uint32_t any_block() {
    seed_ = seed_ * 1664525u + 1013904223u;
    return (seed_ >> 8) % s_.blocks;
  }
  // The own block's queues, the most urgent first.
  __device__ Source own_queue() {
    if (filled_ == 0) return {0, kLevels};
    const std::uint32_t first = most_urgent();
    for (std::uint32_t l = 0; l < kLevels; ++l)
      if (filled_ >> around(first, l) & 1) return {blockIdx.x, around(first, l)};
    return {0, kLevels};
  }
  // Every lane looks at the queue of another block: 32 of them in one access, twice; others the next time.
  __device__ Source other_queue() {
    const std::uint32_t first = most_urgent(), start = any_block();
    for (std::uint32_t seen = 0; seen < s_.blocks && seen < 64; seen += 32) {
      const std::uint32_t at = (start + seen + lane_number()) % s_.blocks;
      for (std::uint32_t l = 0; l < kLevels; ++l) {
        const unsigned who = __ballot_sync(kAllLanes, queue(at, around(first, l)).about() > 0);
        if (who != 0) return {__shfl_sync(kAllLanes, at, __ffs(who) - 1), around(first, l)};
      }
    }
    return {0, kLevels};
  }
  __device__ void take_from(const Source& from) {
    const std::uint32_t wanted = 32 - min(32u, stacks_.size(from.level));
    Task task = 0;
    bool got = false;
    if (lane_number() < wanted) got = queue(from.block, from.level).pop(task);
    __syncwarp();
    const std::uint32_t count = __popc(__ballot_sync(kAllLanes, got));
    if (count == 0) return;
    taken(count);
    stacks_.push(from.level, got, task);
  }
  __device__ void take_roots() {
    if (no_roots_) return;
    unsigned long long first_root = root_end_;
    if (leads())
      first_root = WordOf<unsigned long long>(words_->next_root).fetch_add(roots_, kRelaxed);
    first_root = __shfl_sync(kAllLanes, first_root, 0);
    no_roots_ = first_root >= root_end_;
    if (no_roots_) return;
    const bool mine = lane_number() < roots_ && first_root + lane_number() < root_end_;
    taken(__popc(__ballot_sync(kAllLanes, mine)));
    const Task task = mine ? s_.roots[first_root + lane_number()] : 0;
    stacks_.template push_children<1>(
        mine ? 1u : 0u, [&](std::uint32_t) { return task; }, [&](Task t) { return job_.level(t); });
  }
  // Nothing to be had: false when there will never be any. While nothing lies in any queue, nobody looks into them:
  // thousands of hungry warps that read hundreds of queues would slow down those who work.
  __device__ bool wait() {
    if (busy_) add_outstanding(-1);
    busy_ = false;
    __syncwarp();
    const long long outstanding = read_for_all(words_->outstanding);
    if (outstanding == 0 || stopped()) return false;
    watch_.idle();
    const bool knew = lying_;
    lying_ = outstanding >= SchedulerWords::kLying;
    if (lying_ && !knew) return true;
    __nanosleep(ns_);
    if (ns_ < How::kLongest) ns_ *= 2;
    return true;
  }

  // ---- what is done with them

  // How many tasks may be run where there is so much room. If it is scarce, a batch takes an eighth of it: the newest
  // tasks are the deepest, so small batches reach the leaves before the room is used up, and then there is some again.
  static __device__ std::uint32_t batch_for(std::uint32_t room) {
    if (room >= 32 * Job::kMost) return 32;
    return room >= 8 * Job::kMost ? room / (8 * Job::kMost) : room >= Job::kMost ? 1 : 0;
  }
  // False: everybody stops.
  __device__ bool run_batch(std::uint32_t level) {
    const std::uint32_t count = min(batch_for(stacks_.room()), stacks_.size(level));
    if (count == 0) return stop(Ended::Full), false;
    const Task task = stacks_.pop(level, count);
    const bool mine = lane_number() < count;
    // Asked before the work, looked at behind it: the answer takes about as long as a hash.
    const long long in_level = ask_own();
    watch_.began();
    job_.look(mine, task);
    typename Job::Made made{};
    if (mine) made = job_.run(task);
    const bool refused = mine && made.count > Job::kMost;
    if (mine && !refused) job_.count(made);
    stacks_.template push_children<Job::kMost>(
        mine && !refused ? made.count : 0u, [&](std::uint32_t i) { return job_.child(made, i); },
        [&](Task t) { return job_.level(t); });
    answered(in_level);
    watch_.ran(count);
    if (!__any_sync(kAllLanes, refused)) return true;
    stacks_.push(level, refused, task);  // as if it had not been run
    stop(Ended::TooMany);
    return false;
  }
  // Tasks beyond what a warp keeps go to the block's queue, as long as little lies there; where the stack has no room
  // for a batch, whatever lies there. Afterwards they are somebody's or, if the queue is full, here again.
  __device__ void share() {
    std::uint32_t level = stacks_.fullest();
    bool more = stacks_.size(level) >= How::kKeep && few_ >> level & 1;
    for (more = more || scarce(); more; level = stacks_.fullest())
      more =
          give(level, min(32u, stacks_.size(level) / 2)) && scarce();  // something is left to run
  }
  __device__ bool scarce() const { return stacks_.room() < 32 * Job::kMost; }
  // A batch of a few tasks takes as long as one of 32. When roots have run out, a warp that has few left puts them into its
  // block's queue, where another with less than a batch finds them, and steps back. Not the first warp of a block, which
  // takes them; and not at every step, so that whatever was handed on is run in between.
  __device__ bool poor(unsigned step) const {
    if constexpr (!How::kSteal || Job::kUrgentFirst || S::kWarps == 1) return false;
    return step % How::kMergeEvery == How::kMergeEvery - 1 && no_roots_ && threadIdx.x >= 32 &&
           stacks_.largest() <= How::kPoor && stacks_.largest() > 0;
  }
  // False: the queue had no room.
  __device__ bool merge() {
    for (std::uint32_t level = 0; level < kLevels; ++level)
      if (const std::uint32_t count = stacks_.size(level); count > 0 && !give(level, count))
        return false;
    add_outstanding(-1);
    busy_ = false, lying_ = true;
    __nanosleep(How::kLongest);  // so long that another can take them
    return true;
  }
  // The oldest tasks of a level. What the own queue refuses may find room with others: on deep trees one block can have
  // thousands of tasks more than its neighbour. False: not all did.
  __device__ bool give(std::uint32_t level, std::uint32_t count) {
    const Task task = stacks_.pop_oldest(level, count);
    const bool mine = lane_number() < count;
    add_outstanding(count * SchedulerWords::kLying);
    __syncwarp();
    bool refused = mine;
    std::uint32_t at = blockIdx.x;
    unsigned back = 0;
#pragma unroll 1
    for (int tries = How::kSteal ? 4 : 1; tries > 0; --tries, at = any_block()) {
      if (refused) refused = !queue(at, level).push(task);
      __syncwarp();
      back = __ballot_sync(kAllLanes, refused);
      if (back == 0) return true;
    }
    add_outstanding(-__popc(back) * SchedulerWords::kLying);
    // Down again, or they would be run first, and fill the stack. Where urgency decides and not depth, on top: going
    // down one way first would pass on what is not final yet.
    if constexpr (Job::kUrgentFirst)
      stacks_.push(level, refused, task);
    else
      stacks_.push_oldest(level, refused, task);
    return false;
  }
  // Everybody stops: what is in the stacks must not get lost.
  __device__ void leave() {
    const unsigned warp = blockIdx.x * S::kWarps + threadIdx.x / 32;
    Task* const out = s_.left + std::size_t{warp} * kLevels * S::kStack;
    std::uint32_t written = 0;
    for (std::uint32_t level = 0; level < kLevels; ++level) {
      while (const std::uint32_t count = min(32u, stacks_.size(level))) {
        const Task task = stacks_.pop(level, count);
        if (lane_number() < count) out[written + lane_number()] = task;
        written += count;
      }
    }
    if (leads()) s_.left_count[warp] = written;
  }

  static constexpr unsigned kLookEvery = 64;  // steps, for a stop
  static constexpr unsigned kShortest = 64;   // ns, as How::kLongest
  const S& s_;
  Job& job_;
  typename S::Stacks stacks_;
  SchedulerWords* words_;
  Watch watch_;
  unsigned long long root_end_;
  unsigned roots_;  // taken at a time
  std::uint32_t seed_ = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 2654435761u + 1;
  unsigned ns_ = kShortest;
  unsigned filled_ = 0, few_ = kAllLanes;  // of the block's queues, a bit for each level
  bool busy_ = false, no_roots_ = false;
  bool lying_ = false;  // whether somewhere tasks lie, as far as this warp has heard
};

}  // namespace lesson12
