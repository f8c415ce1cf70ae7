// SPDX-License-Identifier: MIT
// Reads the settings anew at each launch: a program may set another seed between two of them.
#include "cudart/environment/launch_settings.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "cudart/environment/say.hpp"
#include "cudart/environment/settings.hpp"
#include "cudart/environment/turns_file.hpp"
#include "trace/trace.hpp"

namespace emu::cudart {
namespace {

// Where the trace goes. Lives until the process ends: a program may launch from a destructor.
struct TraceFile {
  std::string path;
  std::FILE* file = nullptr;
  bool is_own = false;
  observe::Trace trace{[this](const std::string& line) { std::fputs(line.c_str(), file); }};

  bool open(const std::string& to) {
    if (file && path == to) return true;
    if (file && is_own) std::fclose(file);
    path = to;
    // The program writes to the standard streams too: in their order, so through the same buffers.
    is_own = to != "1" && to != "/dev/stderr" && to != "/dev/stdout";
    file = is_own ? std::fopen(to.c_str(), "a") : to == "/dev/stdout" ? stdout : stderr;
    // What was traced shall be there when the program dies.
    if (file && is_own) std::setvbuf(file, nullptr, _IOLBF, BUFSIZ);
    return file != nullptr;
  }
};

TraceFile& trace_file() {
  static auto* one = new TraceFile;
  return *one;
}

cudaError_t choose_memory(exec::LaunchRequest& request) {
  const std::string memory = setting("WARPLADDER_MEMORY");
  if (memory.empty() || memory == "strong") return cudaSuccess;
  if (memory != "weak") {
    say("WARPLADDER_MEMORY=" + memory + " is no memory mode: strong or weak");
    return cudaErrorInvalidValue;
  }
  if (!request.schedule || request.schedule->lock_step()) {
    say("WARPLADDER_MEMORY=weak needs a seed: set WARPLADDER_SCHEDULE=random:SEED or pct:SEED too");
    return cudaErrorInvalidValue;
  }
  request.weak_memory = true;
  return cudaSuccess;
}

std::uint64_t instruction_limit() {
  static const std::uint64_t limit = [] {
    const auto text = settings().value("WARPLADDER_INSTRUCTION_LIMIT");
    if (!text) return std::uint64_t{0};
    const std::string_view view(*text);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
    if (error != std::errc{} || end != view.data() + view.size()) {
      say("WARPLADDER_INSTRUCTION_LIMIT=" + std::string(view) +
          " is ignored: it must be a number of warp instructions (0: the default)");
      return std::uint64_t{0};
    }
    return value;
  }();
  return limit;
}

}  // namespace

cudaError_t apply_settings(exec::LaunchRequest& request) {
  request.instruction_limit = instruction_limit();
  if (const std::string text = setting("WARPLADDER_SCHEDULE"); !text.empty()) {
    request.schedule = exec::parse_schedule(text);
    if (!request.schedule) {
      say("WARPLADDER_SCHEDULE=" + text +
          " is no schedule: random:SEED, pct:SEED or pct:SEED:DEPTH, SEED a number and DEPTH 1 to "
          "1000; replay:FILE; or lockstep");
      return cudaErrorInvalidValue;
    }
    if (const std::string why = fill_in_turns(*request.schedule, *request.kernel); !why.empty()) {
      say("WARPLADDER_SCHEDULE=" + text + " " + why);
      return cudaErrorInvalidValue;
    }
  }
  if (const cudaError_t error = choose_memory(request)) return error;
  if (const std::string file = setting("WARPLADDER_TURNS");
      !file.empty() && request.schedule && !request.schedule->lock_step()) {
    const auto& schedule = *request.schedule;
    request.turns = turns_to(file, schedule.seed, request.kernel->pretty);
    if (!request.turns) {
      say("WARPLADDER_TURNS=" + file + " is no file that can be written: " + std::strerror(errno));
      return cudaErrorInvalidValue;
    }
  }
  record_launch((request.schedule ? request.schedule->text() : "usual") +
                (request.weak_memory ? " weak" : " strong"));
  const std::string trace = setting("WARPLADDER_TRACE");
  if (trace.empty() || trace == "0") return cudaSuccess;
  const std::string only = setting("WARPLADDER_TRACE_KERNEL");
  if (request.kernel->pretty.find(only) == std::string::npos) return cudaSuccess;
  if (!trace_file().open(trace)) {
    say("WARPLADDER_TRACE=" + trace +
        " is neither 1 (print to the terminal) nor a file that can be " +
        "written: " + std::strerror(errno));
    return cudaErrorInvalidValue;
  }
  request.tracer = &trace_file().trace;
  return cudaSuccess;
}

}  // namespace emu::cudart
