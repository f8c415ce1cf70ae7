// SPDX-License-Identifier: MIT
#include "cudart/environment/turns_file.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

namespace emu::cudart {
namespace {

// Both live until the process ends: a program may launch from a destructor.
struct Replay {
  std::string path;
  std::vector<exec::LaunchTurns> launches;
  std::size_t next = 0;
};
Replay& replay() {
  static auto* one = new Replay;
  return *one;
}

std::string load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto launches = exec::read_turns(text);
  if (!file || !launches) return "is no file of turns: `./course explore FILE.cu` writes one";
  replay() = {path, std::move(*launches), 0};
  return "";
}

std::FILE* opened(const std::string& path) {
  static std::string name;
  static std::FILE* file = nullptr;
  if (file && name == path) return file;
  if (file) std::fclose(file);
  name = path;
  file = std::fopen(path.c_str(), "w");
  if (file) std::fputs(std::string(exec::kTurnsHead).c_str(), file);
  return file;
}

}  // namespace

std::string fill_in_turns(exec::Schedule& schedule, const exec::Kernel& kernel) {
  if (schedule.policy != exec::Schedule::Policy::Replay) return "";
  Replay& file = replay();
  if (file.path != schedule.file) {
    if (std::string why = load(schedule.file); !why.empty()) return why;
  }
  if (file.next == file.launches.size()) return "";  // what comes after goes in the usual order
  const exec::LaunchTurns& launch = file.launches[file.next++];
  if (launch.kernel != kernel.pretty) {
    return "was written for another program: launch " + std::to_string(file.next) + " is of " +
           launch.kernel + " there, and of " + kernel.pretty + " here";
  }
  schedule.seed = launch.seed;
  schedule.turns = std::make_shared<exec::Turns>(launch.turns);
  return "";
}

std::function<void(const exec::Turns&)> turns_to(const std::string& path, std::uint64_t seed,
                                                 const std::string& kernel) {
  std::FILE* file = opened(path);
  if (!file) return {};
  return [file, seed, kernel](const exec::Turns& turns) {
    std::fputs(exec::turns_text({seed, kernel, turns}).c_str(), file);
    std::fflush(file);
  };
}

}  // namespace emu::cudart
