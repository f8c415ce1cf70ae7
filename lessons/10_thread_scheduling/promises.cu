// SPDX-License-Identifier: MIT
// Who may wait for whom? Each promise of the CUDA C++ execution model is a launch here, and so is what
// it does not promise. On the emulator a launch that hangs is reported with who waits for whom; on a
// GPU the wait is cut off. Program 10_thread_scheduling.promises.
#include "lessons/10_thread_scheduling/promises.cuh"

#include <chrono>
#include <cstdio>
#include <string>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "lessons/10_thread_scheduling/patience.cuh"

namespace {

using course::DeviceBuffer;
using namespace lesson10;

constexpr std::chrono::milliseconds kPatience{200};
constexpr long long kSoLong = 5'000'000;        // cycles: some milliseconds
constexpr std::size_t kMuchShared = 40 * 1024;  // so that few blocks have room at once

enum class Outcome { kEnds, kHangs, kRefused };
constexpr const char* kNames[] = {"ends", "hangs", "is refused"};

class Launches {
 public:
  explicit Launches(const course::Device& device) : emulated_(device.emulated) {}

  // Prints what became of a launch, beside what was expected. kUnknown: a GPU may do either.
  template <class Launch>
  void tell(const char* what, const char* promised, Outcome expected, Launch launch,
            unsigned count = 0, bool unknown = false) {
    Outcome outcome = Outcome::kEnds;
    std::string error;
    Words words{};
    std::fflush(stdout);
    {
      DeviceBuffer<Words> memory(1);
      COURSE_CHECK(cudaMemset(memory.data(), 0, sizeof(Words)));
      COURSE_CHECK(cudaDeviceSynchronize());  // streams that block for nobody do not wait for it
      const Patience patience(kPatience);
      cut_off_ = patience.word();
      cudaError_t code = launch(memory.data());
      const bool refused = code != cudaSuccess;
      if (!refused) code = cudaDeviceSynchronize();
      if (code == cudaSuccess) {
        words = memory.download()[0];
        if (words.gave_up != 0) outcome = Outcome::kHangs;  // it would have
      } else {
        outcome = refused ? Outcome::kRefused : Outcome::kHangs;
        error = cudaGetErrorName(code);
      }
    }
    if (!error.empty()) COURSE_CHECK(cudaDeviceReset());
    const bool as_expected = (unknown && !emulated_) || outcome == expected;
    const bool counted = outcome != Outcome::kEnds || words.count == count;
    std::printf("%-49s %-13s %s%s%s%s\n", what, promised, kNames[static_cast<int>(outcome)],
                words.gave_up != 0 ? ": cut off"
                : error.empty()    ? ""
                                   : ": ",
                error.c_str(), as_expected && counted ? "" : "   FAIL");
    ok_ = ok_ && as_expected && counted;
  }
  // The kernel that is cut off on a GPU, and the one that is not, for the emulator.
  auto in_blocks(void (*cut)(Words*, UntilCutOff), void (*endless)(Words*, Endless), int threads,
                 int blocks = 1, cudaStream_t stream = nullptr) {
    return [=, this](Words* w) {
      if (emulated_)
        endless<<<blocks, threads, 0, stream>>>(w, Endless{});
      else
        cut<<<blocks, threads, 0, stream>>>(w, UntilCutOff{cut_off_});
      return cudaGetLastError();
    };
  }
  // By cudaLaunchKernelEx, with an attribute, for kernels that need much shared memory.
  cudaError_t with(cudaLaunchAttribute* attribute, int blocks, Words* w) const {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(blocks));
    config.blockDim = dim3(32);
    config.dynamicSmemBytes = kMuchShared;
    config.attrs = attribute;
    config.numAttrs = attribute != nullptr ? 1 : 0;
    const cudaError_t code =
        emulated_ ? cudaLaunchKernelEx(&config, first_waits_for_last<Endless>, w, Endless{})
                  : cudaLaunchKernelEx(&config, first_waits_for_last<UntilCutOff>, w,
                                       UntilCutOff{cut_off_});
    if (code != cudaSuccess) cudaGetLastError();  // it is known now
    return code;
  }
  bool ok() const { return ok_; }

 private:
  bool emulated_;
  const unsigned* cut_off_ = nullptr;
  bool ok_ = true;
};

// How many blocks of 32 threads with much shared memory the GPU has room for at once.
int room_for(const course::Device& device) {
  int on_each = 0;
  COURSE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &on_each, first_waits_for_last<UntilCutOff>, 32, kMuchShared));
  return on_each * device.multiprocessors;
}

void within_a_warp(Launches& all) {
  // (0 -> 1 -> 6) + (1 -> 5 -> 17 -> 53) + (2 -> 11 -> 56) + (3 -> 11 -> 35 -> 107)
  all.tell("the lanes of a warp part, and meet again", "promised", Outcome::kEnds,
           all.in_blocks(part_and_meet, part_and_meet, 4), 6 + 53 + 56 + 107);
  all.tell("a lane waits for another of its warp", "promised", Outcome::kEnds,
           all.in_blocks(lane_waits_for_lane, lane_waits_for_lane, 4));
  all.tell(
      "  the same, but it waits for so long at most", "not promised", Outcome::kEnds,
      [](Words* w) {
        lane_waits_for_lane<<<1, 4>>>(w, ForSoLong{kSoLong});
        return cudaGetLastError();
      },
      0, true);
  all.tell("the lanes of a warp take a lock", "promised", Outcome::kEnds,
           all.in_blocks(lanes_take_a_lock, lanes_take_a_lock, 4), 4);
  all.tell("  the same, one lane after the other", "promised", Outcome::kEnds,
           all.in_blocks(lanes_take_turns, lanes_take_turns, 4), 4);
  all.tell("a lane waits for one that waits for it", "deadlock", Outcome::kHangs,
           all.in_blocks(crossed, crossed, 32));
  all.tell("  cured: said before they meet", "promised", Outcome::kEnds,
           all.in_blocks(uncrossed, uncrossed, 32));
  all.tell("  cured: the others meet without it", "promised", Outcome::kEnds,
           all.in_blocks(without_lane_0, without_lane_0, 32));
  all.tell("two lanes wait at two barriers, crosswise", "deadlock", Outcome::kHangs,
           all.in_blocks(two_barriers<false>, two_barriers<false>, 32));
  all.tell("  cured: one of them arrives first", "promised", Outcome::kEnds,
           all.in_blocks(two_barriers<true>, two_barriers<true>, 32));
}

void within_a_grid(Launches& all, const course::Device& device) {
  const int room = room_for(device);
  all.tell("a warp waits for another of its block", "promised", Outcome::kEnds,
           all.in_blocks(first_waits_for_last, first_waits_for_last, 64));
  if (device.sm >= 90) {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {2, 1, 1};
    all.tell("a block waits for another of its cluster", "promised", Outcome::kEnds,
             [&](Words* w) { return all.with(&cluster, 2, w); });
  }
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  all.tell("all blocks of a cooperative grid for the last", "promised", Outcome::kEnds,
           [&](Words* w) { return all.with(&cooperative, room, w); });
  all.tell("  with more blocks than there is room for", "refused", Outcome::kRefused,
           [&](Words* w) { return all.with(&cooperative, room + 8, w); });
  all.tell("all blocks of an ordinary grid for the last", "not promised", Outcome::kHangs,
           [&](Words* w) { return all.with(nullptr, room + 8, w); });
  all.tell("  cured: each for those that have begun", "promised", Outcome::kEnds,
           all.in_blocks(by_ticket, by_ticket, 32, room + 8), static_cast<unsigned>(room + 8));
}

void between_launches(Launches& all) {
  const auto wait_in = [&](cudaStream_t stream, Words* w) {
    return all.in_blocks(waits, waits, 1, 1, stream)(w);
  };
  all.tell("a kernel waits for an earlier one of its stream", "promised", Outcome::kEnds,
           [&](Words* w) {
             raises<<<1, 1>>>(w);
             return wait_in(nullptr, w);
           });
  all.tell(
      "a kernel waits for a later one of another stream", "not promised", Outcome::kHangs,
      [&](Words* w) {
        cudaStream_t one = nullptr, other = nullptr;
        COURSE_CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
        COURSE_CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
        const cudaError_t code = wait_in(one, w);
        raises<<<1, 1, 0, other>>>(w);
        cudaStreamDestroy(one);  // when it is done
        cudaStreamDestroy(other);
        return code;
      },
      0, true);
  all.tell("the CPU waits for a kernel, and asks for it", "promised", Outcome::kEnds, [&](Words*) {
    unsigned* word = nullptr;
    COURSE_CHECK(cudaHostAlloc(&word, sizeof *word, cudaHostAllocMapped));
    *word = 0;
    raises_for_host<<<1, 1>>>(word);
    while (*static_cast<volatile unsigned*>(word) == 0) cudaStreamQuery(nullptr);
    COURSE_CHECK(cudaFreeHost(word));
    return cudaGetLastError();
  });
}

bool run_promises(course::Experiment& e) {
  Launches all(e.device);
  std::printf("%-49s %-13s %s\n", "who waits for whom", "", "what becomes of it");
  within_a_warp(all);
  within_a_grid(all, e.device);
  between_launches(all);
  return all.ok();
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"10_thread_scheduling", "promises",
                              "Who may wait for whom, and what becomes of the others."};
  info.takes_json = false;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, run_promises);
}
