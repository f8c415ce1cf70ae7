// SPDX-License-Identifier: MIT
// The memory of the race and init checks: at most four times what the program allocates, and a fixed part for the
// threads that run at the same time, which is what counts where arrays are tiny.
#include "bench/memory_cost.hpp"

#include <malloc.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/arrays.hpp"
#include "check/check.hpp"
#include "devices/profile.hpp"
#include "engine/execution.hpp"

namespace bench {
namespace {

using emu::exec::Kernel;
using emu::exec::LaunchRequest;

constexpr double kTimes = 4;
// For the process, for each warp that runs, and for each thread among them that passes something on by a flag.
constexpr double kOnce = 1 << 19, kEachWarp = 512, kEachTalker = 1536;
constexpr std::uint32_t kThreads = 256, kWarps = kThreads / 32;

// Bytes that the program has got from the system's allocator and not given back.
std::size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

emu::check::Wanted wanted(int devices) {
  emu::check::Wanted all;
  all.race = all.init = true;
  all.several_devices = devices > 1;
  return all;
}

LaunchRequest request_of(const Kernel& kernel, std::uint32_t blocks) {
  LaunchRequest request;
  request.kernel = &kernel;
  request.grid = {blocks, 1, 1};
  request.block = {kThreads, 1, 1};
  request.profile = emu::devices::find("h200");
  request.resident_blocks = 8 * request.profile->multiprocessors;
  return request;
}

// Of the arrays from `first` on: others have nothing to do with it.
void tell_written(emu::check::Checker& checking, std::size_t first) {
  for (std::size_t i = first; i < arrays().size(); ++i) {
    checking.written(arrays()[i]->address, arrays()[i]->size);
  }
}

class Table {
 public:
  Table() {
    std::printf(
        "| memory of the checks (race, init) | program's arrays (MiB) | checks (MiB) | times | "
        "of what is allowed |\n| --- | ---: | ---: | ---: | ---: |\n");
  }
  void row(const std::string& what, double arrays, double kept, double warps, double talkers) {
    constexpr double kMega = 1 << 20;
    const double allowed = kTimes * arrays + kOnce + kEachWarp * warps + kEachTalker * talkers;
    std::printf("| %-42s | %6.2f | %6.2f | %5.1f | %3.0f %% |\n", what.c_str(), arrays / kMega,
                kept / kMega, kept / arrays, 100 * kept / allowed);
    std::fflush(stdout);
    if (kept > allowed) {
      std::fprintf(stderr, "bench: %s: the checks take %.0f bytes, %.0f are allowed\n",
                   what.c_str(), kept, allowed);
      within_ = false;
    }
  }
  bool within() const { return within_; }

 private:
  bool within_ = true;
};

// What the checks keep when a kernel of one device has ended.
template <class T>
void copying_row(Table& table, const char* what, const Kernel& kernel, int bytes) {
  const std::size_t first = arrays().size(), n = static_cast<std::size_t>(bytes) / sizeof(T);
  Array<T> in(n, [](std::size_t i) { return T(i); }), out(n, [](std::size_t) { return T(0); });
  emu::check::Findings findings(nullptr);
  const std::size_t before = in_use();
  emu::check::Checker checking(wanted(1), findings);
  LaunchRequest request = request_of(kernel, 64);
  request.params = pack(kernel, in.address(), out.address(), static_cast<int>(n));
  request.observer = &checking;
  tell_written(checking, first);
  emu::exec::launch(request);
  table.row(what, 2.0 * bytes, double(in_use() - before), 64 * kWarps, 0);
}

// Devices that work together: each copies, and block b of one meets block b of all the others.
struct Meeting {
  int devices, elements;
  std::uint32_t blocks;
  double bytes() const { return (2.0 * devices + 1) * elements * sizeof(int); }
  double warps() const { return double(devices) * blocks * kWarps; }
  double talkers() const { return double(devices) * devices * blocks; }
};

// The most that is in use while they run.
std::size_t peak_of(const Kernel& kernel, const Meeting& meeting, bool checked) {
  const std::size_t first = arrays().size(), n = static_cast<std::size_t>(meeting.elements);
  const auto ranks = static_cast<std::size_t>(meeting.devices);
  const auto zero = [](std::size_t) { return 0; };
  Array<int> in(n, [](std::size_t i) { return int(i); }), all(ranks * n, zero),
      out(ranks * n, zero), words(meeting.blocks * ranks * ranks, zero);
  emu::check::Findings findings([](const std::string& text) { std::fputs(text.c_str(), stderr); });
  const std::size_t before = in_use();
  std::optional<emu::check::Checker> checking;
  if (checked) {
    checking.emplace(wanted(meeting.devices), findings);
    tell_written(*checking, first);
  }
  std::vector<std::unique_ptr<emu::exec::Execution>> running;
  for (int rank = 0; rank < meeting.devices; ++rank) {
    LaunchRequest request = request_of(kernel, meeting.blocks);
    request.device = rank;
    const std::uint64_t own = out.address() + static_cast<std::size_t>(rank) * n * sizeof(int);
    request.params = pack(kernel, in.address(), all.address(), own, words.address(),
                          meeting.elements, rank, meeting.devices);
    if (checking) {
      checking->orders()->begin({static_cast<std::uint64_t>(rank) + 1, rank, false, false});
      request.observer = &*checking;
    }
    emu::memory::AddressSpace::instance().allow_peer(rank, 0, true);
    running.push_back(std::make_unique<emu::exec::Execution>(std::move(request)));
  }
  std::size_t most = 0;
  while (!running.empty()) {
    std::erase_if(running, [](auto& one) { return one->turn(1); });
    for (const auto& one : running) one->others_changed();
    most = std::max(most, in_use() - before);
  }
  return most;
}

void meeting_row(Table& table, const Kernel& kernel, const Meeting& meeting) {
  const std::size_t plain = peak_of(kernel, meeting, false);
  const std::size_t checked = peak_of(kernel, meeting, true);
  const std::string what = std::to_string(meeting.devices) +
                           (meeting.devices > 1 ? " devices that meet, " : " device, ") +
                           std::to_string(meeting.blocks) +
                           (meeting.devices > 1 ? " blocks each" : " blocks");
  table.row(what, meeting.bytes(), double(checked - plain), meeting.warps(), meeting.talkers());
}

}  // namespace

bool print_memory_costs(const emu::exec::Program& program, int array_bytes) {
  const auto kernel = [&](const char* name) -> const Kernel& { return *program.kernel(name); };
  Table table;
  copying_row<int>(table, "arrays of 4-byte values", kernel("copy_words"), array_bytes);
  copying_row<short>(table, "arrays of 2-byte values", kernel("copy_halves"), array_bytes);
  copying_row<signed char>(table, "arrays of bytes", kernel("copy_bytes"), array_bytes);
  copying_row<signed char>(table, "... of which three lanes read each", kernel("blur_bytes"),
                           array_bytes);
  copying_row<signed char>(table, "... written in no order", kernel("scatter_bytes"), array_bytes);
  const Kernel& meet = kernel("copy_and_meet");
  for (const int devices : {1, 8}) {
    for (const int elements : {1 << 10, 1 << 15, array_bytes / 16}) {
      meeting_row(table, meet, {devices, elements, 128});
    }
  }
  meeting_row(table, meet, {8, 1 << 10, 512});
  return table.within();
}

}  // namespace bench
