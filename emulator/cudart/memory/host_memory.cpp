// SPDX-License-Identifier: MIT
// Reads /proc/meminfo and the limits of control groups, of both versions.
#include "cudart/memory/host_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "cudart/environment/say.hpp"

namespace emu::cudart {

namespace {

namespace fs = std::filesystem;

std::optional<std::size_t> pretended;

// Below this the question costs more than the memory.
constexpr std::size_t kWorthAsking = std::size_t{1} << 20;

// The number behind a word at the start of a line.
std::optional<std::size_t> find_number(const fs::path& file, const std::string& word) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string first;
    std::size_t number = 0;
    if (words >> first >> number && first == word) return number;
  }
  return std::nullopt;
}

// The one number a file holds; none if it holds a word ("max") or is not there.
std::optional<std::size_t> read_number(const fs::path& file) {
  std::ifstream in(file);
  std::size_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

struct GroupFiles {
  const char *limit, *used, *cache;  // the last is a word in memory.stat
};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};

// What one group allows still. Files that were only read count as used, but go when memory is short.
std::size_t left_in_group(const fs::path& group, const GroupFiles& files) {
  const auto limit = read_number(group / files.limit), used = read_number(group / files.used);
  if (!limit || !used) return kNoLimit;
  const std::size_t cache = find_number(group / "memory.stat", files.cache).value_or(0);
  const std::size_t taken = *used - std::min(cache, *used);
  return *limit - std::min(taken, *limit);
}

// A group is held to the limits of all those it lies in. Inside a container its path may not be
// there: then those that are count.
std::size_t left_in_groups(const fs::path& mount, fs::path group, const GroupFiles& files) {
  std::size_t left = kNoLimit;
  for (;; group = group.parent_path()) {
    left = std::min(left, left_in_group(mount / group.relative_path(), files));
    if (group.relative_path().empty()) return left;
  }
}

// Lines of /proc/self/cgroup: "0::/path" (version 2) and "7:memory:/path" (version 1).
std::size_t left_in_own_groups(const fs::path& root) {
  std::ifstream in(root / "proc/self/cgroup");
  std::size_t left = kNoLimit;
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty())
      left = std::min(left, left_in_groups(root / "sys/fs/cgroup", group, kVersion2));
    else if (controllers.find("memory") != std::string::npos)
      left = std::min(left, left_in_groups(root / "sys/fs/cgroup/memory", group, kVersion1));
  }
  return left;
}

// What this process holds in memory.
std::size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::size_t host_memory_left(const fs::path& root) {
  if (pretended) return *pretended;
  const fs::path meminfo = root / "proc/meminfo";
  const auto available = find_number(meminfo, "MemAvailable:");
  const std::size_t swap = find_number(meminfo, "SwapFree:").value_or(0);
  const std::size_t machine = available ? (*available + swap) * 1024 : kNoLimit;
  return std::min(machine, left_in_own_groups(root));
}

cudaError_t check_host_memory(std::size_t size, std::size_t lazy, const char* api) {
  if (size < kWorthAsking) return cudaSuccess;
  const std::size_t left = host_memory_left();
  // Of the lazy bytes at most as many were touched as the process holds.
  const std::size_t held = lazy == 0 ? 0 : resident_bytes();
  const std::size_t untouched = lazy - std::min(lazy, held);
  const std::size_t free = left - std::min(untouched, left);
  if (size <= free) return cudaSuccess;
  say(std::string(api) + ": " + std::to_string(size) +
      " bytes are asked for, but this machine has " + std::to_string(free) + " left for them");
  return cudaErrorMemoryAllocation;
}

void pretend_host_memory(std::optional<std::size_t> bytes) { pretended = bytes; }

}  // namespace emu::cudart
