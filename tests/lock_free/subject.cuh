// SPDX-License-Identifier: MIT
// A structure of lesson 06 as something that operations are recorded on, and the runner that takes
// it through a plan.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "common/check.cuh"
#include "common/device_buffer.cuh"
#include "lock_free/cases.hpp"
#include "lock_free/history.cuh"

namespace lock_free {

// A stack or a queue.
template <class S>
struct ContainerSubject {
  static constexpr std::uint32_t kWidth = 1;
  S structure;

  static std::size_t bytes(std::uint32_t capacity) { return S::bytes(capacity); }
  ContainerSubject(void* memory, const Plan& plan) : structure(make(memory, plan)) {}
  static S make(void* memory, const Plan& plan) {
    if constexpr (requires { typename S::Ticket; }) {
      // The turns of a ring count 2 for each round: they wrap after 2^31 rounds.
      const std::uint64_t back = 0u - plan.version;
      return S(memory, plan.capacity,
               back == 0 ? 0 : (plan.capacity * std::uint64_t{1} << 31) - back);
    } else if constexpr (std::is_constructible_v<S, void*, std::uint32_t, std::uint32_t>) {
      return S(memory, plan.capacity, plan.version);
    } else {
      return S(memory, plan.capacity);
    }
  }
  __device__ void reset(std::uint32_t i, std::uint32_t n) { structure.reset(i, n); }
  __device__ void call(Operation& operation) {
    if (operation.kind == Kind::Push) {
      operation.ok = structure.push(operation.value);
    } else {
      operation.ok = structure.pop(operation.result);
    }
  }
};

// kLanes lanes call the map together (TileHashMap).
template <class S, std::uint32_t kLanes = 1>
struct MapSubject {
  static constexpr std::uint32_t kWidth = kLanes;
  S structure;

  static std::size_t bytes(std::uint32_t capacity) { return S::bytes(capacity); }
  MapSubject(void* memory, const Plan& plan) : structure(memory, plan.capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) { structure.reset(i, n); }
  __device__ void call(Operation& operation) {
    if (operation.kind == Kind::Insert) {
      operation.ok = static_cast<std::uint32_t>(structure.insert(operation.key, operation.value));
    } else if (operation.kind == Kind::Find) {
      operation.ok = structure.find(operation.key, operation.result);
    } else {
      operation.ok = structure.erase(operation.key);
    }
  }
};

// A lock around a plain counter. `inside` counts who is in there; it is relaxed, so that the order of
// the counter's reads and writes is the lock's work alone.
template <class L>
struct LockSubject {
  static constexpr std::uint32_t kWidth = 1;
  L lock;
  std::uint32_t* words;  // the counter, and on another line `inside`

  static std::size_t bytes(std::uint32_t) { return 256 + L::bytes(1); }
  LockSubject(void* memory, const Plan&)
      : lock(static_cast<char*>(memory) + 256, 1), words(static_cast<std::uint32_t*>(memory)) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    lock.reset(i, n);
    if (i == 0) words[0] = words[32] = 0;
  }
  __device__ void call(Operation& operation) {
    cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device> inside(words[32]);
    lock.lock();
    operation.ok = inside.fetch_add(1, cuda::memory_order_relaxed) == 0;
    operation.result = words[0];
    words[0] = operation.result + 1;
    inside.fetch_sub(1, cuda::memory_order_relaxed);
    lock.unlock();
  }
};

// The emulator reads these variables at every launch.
class ScopedSetting {
 public:
  explicit ScopedSetting(const Setting& setting) {
    set("WARPLADDER_SCHEDULE", setting.schedule);
    set("WARPLADDER_MEMORY", setting.weak ? "weak" : "");
    set("WARPLADDER_TRACE", setting.trace);
  }
  ~ScopedSetting() {
    for (const char* name : {"WARPLADDER_SCHEDULE", "WARPLADDER_MEMORY", "WARPLADDER_TRACE"}) {
      unsetenv(name);
    }
  }
  ScopedSetting(const ScopedSetting&) = delete;
  ScopedSetting& operator=(const ScopedSetting&) = delete;

 private:
  static void set(const char* name, const std::string& value) {
    value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }
};

// What a runner needs of a subject: its launches. All else is the same for every subject, and is
// compiled once.
struct Launches {
  std::size_t bytes;  // of its memory
  std::uint32_t width;
  void (*together)(void* memory, const Plan& plan, std::uint32_t* clock, const Script& script,
                   Answer* answers);
  void (*alone)(void* memory, const Plan& plan, bool reset, const Script& script, Answer* answers);
};

template <class Subject>
Launches launches() {
  static_assert(Subject::kWidth * 3 <= 32, "plans have up to 3 threads in a warp");
  return {Subject::bytes(8), Subject::kWidth,
          [](void* memory, const Plan& plan, std::uint32_t* clock, const Script& script,
             Answer* answers) {
            const std::uint32_t block = (plan.warps - 1) * 32 + plan.lanes * Subject::kWidth;
            record<<<plan.blocks, block>>>(Subject(memory, plan), Clock{clock}, plan.lanes, script,
                                           answers);
          },
          [](void* memory, const Plan& plan, bool reset, const Script& script, Answer* answers) {
            record_alone<<<1, 32>>>(Subject(memory, plan), reset, script, answers);
          }};
}

class SubjectRunner final : public Runner {
 public:
  // All answers are downloaded, also those that a short plan does not write.
  explicit SubjectRunner(const Launches& launches) : launches_(launches), memory_(launches.bytes) {
    COURSE_CHECK(cudaMemset(answers_.data(), 0, answers_.bytes()));
  }
  History run(const Plan& plan, const Setting& setting) override {
    COURSE_CHECK(cudaMemset(clock_.data(), 0, clock_.bytes()));
    History history;
    alone(plan, true, plan.before, history);

    Script script;
    script.per_thread = plan.longest();
    for (std::uint32_t i = 0; i < plan.threads(); ++i) {
      for (std::uint32_t k = 0; k < plan.calls[i].size(); ++k) {
        script.set(i * script.per_thread + k, plan.calls[i][k]);
      }
    }
    {
      const ScopedSetting scoped(setting);
      launches_.together(memory_.data(), plan, clock_.data(), script, answers_.data());
      COURSE_CHECK(cudaGetLastError());
      COURSE_CHECK(cudaDeviceSynchronize());
    }
    const std::vector<Answer> answers = answers_.download();
    for (std::uint32_t i = 0; i < plan.threads(); ++i) {
      for (std::uint32_t k = 0; k < plan.calls[i].size(); ++k) {
        add(history, plan.calls[i][k], answers[i * script.per_thread + k]);
      }
    }
    alone(plan, false, plan.after, history);
    return history;
  }

 private:
  static void add(History& history, Operation operation, const Answer& answer) {
    operation.begin = answer.begin;
    operation.end = answer.end;
    operation.ok = answer.ok;
    operation.result = answer.result;
    history.push_back(operation);
  }

  void alone(const Plan& plan, bool reset, const History& calls, History& history) {
    if (!reset && calls.empty()) return;
    Script script;
    script.per_thread = static_cast<std::uint32_t>(calls.size());
    for (std::uint32_t k = 0; k < calls.size(); ++k) script.set(k, calls[k]);
    launches_.alone(memory_.data(), plan, reset, script, answers_.data());
    COURSE_CHECK(cudaGetLastError());
    if (calls.empty()) return;
    const std::vector<Answer> answers = answers_.download();
    for (std::uint32_t k = 0; k < calls.size(); ++k) add(history, calls[k], answers[k]);
  }

  Launches launches_;
  course::DeviceBuffer<std::byte> memory_;  // first: a trace calls it alloc1
  course::DeviceBuffer<Answer> answers_{Script::kMost};
  course::DeviceBuffer<std::uint32_t> clock_{1};
};

inline std::function<std::unique_ptr<Runner>()> runner(const Launches& launches) {
  return [launches] { return std::make_unique<SubjectRunner>(launches); };
}

}  // namespace lock_free
