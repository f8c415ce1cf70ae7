// SPDX-License-Identifier: MIT
// Counters that the environment asks for (WARPLADDER_COUNTERS names a JSON file, WARPLADDER_ANNOTATE
// prints the annotated source when the program ends), and those behind the modelled clock.
#include "cudart/environment/observers.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "annotate/annotate.hpp"
#include "annotate/counters_json.hpp"
#include "check/together.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/settings.hpp"
#include "timing/modelling.hpp"

namespace emu::cudart {
namespace {

// Lives until the process ends, and is never destroyed: a program may launch from a destructor.
struct Tools {
  observe::Modelling modelling;
  bool counting = false;
  std::unique_ptr<observe::JsonFile> json;
  bool json_failed = false;
  observe::Annotation annotation;
  std::FILE* annotate_to = nullptr;
  std::unique_ptr<check::Together> both;  // counts and checks
};
Tools& tools() {
  static auto* all = new Tools;
  return *all;
}

cudaError_t refuse(const std::string& setting, const std::string& why) {
  say(setting + " " + why);
  return cudaErrorInitializationError;
}

void write_json(const observe::LaunchCounts& launch, const observe::Modelled& modelled) {
  Tools& t = tools();
  if (t.json->append(launch, &modelled) || t.json_failed) return;
  t.json_failed = true;
  say("the file of WARPLADDER_COUNTERS cannot be written any more: " +
      std::string(std::strerror(errno)));
}

void print_annotation() {
  Tools& t = tools();
  const std::string text = t.annotation.text();
  std::fputs(text.empty() ? "no kernel was launched\n" : text.c_str(), t.annotate_to);
  std::fflush(t.annotate_to);
}

cudaError_t start_json(const std::string& path, const devices::Profile& gpu) {
  Tools& t = tools();
  t.json = observe::JsonFile::create(path, gpu.id);
  if (!t.json) {
    return refuse("WARPLADDER_COUNTERS=" + path,
                  "is no file that can be written: " + std::string(std::strerror(errno)));
  }
  t.modelling.add_sink(write_json);
  return cudaSuccess;
}

cudaError_t start_annotation(const std::string& value) {
  Tools& t = tools();
  const bool number = value.find_first_not_of("0123456789") == std::string::npos;
  if (number && value != "1") {
    return refuse("WARPLADDER_ANNOTATE=" + value,
                  "is neither 1 (print to the terminal) nor the name of a file");
  }
  t.annotate_to = number ? stderr : std::fopen(value.c_str(), "w");
  if (!t.annotate_to) {
    return refuse("WARPLADDER_ANNOTATE=" + value,
                  "is no file that can be written: " + std::string(std::strerror(errno)));
  }
  t.modelling.add_sink([](const observe::LaunchCounts& launch, const observe::Modelled& modelled) {
    tools().annotation.add(launch, &modelled);
  });
  std::atexit(print_annotation);
  return cudaSuccess;
}

}  // namespace

cudaError_t start_counting(const devices::Profile& gpu) {
  const std::string json = setting("WARPLADDER_COUNTERS");
  const std::string annotate = setting("WARPLADDER_ANNOTATE");
  const bool annotates = !annotate.empty() && annotate != "0";
  if (!json.empty()) {
    if (cudaError_t error = start_json(json, gpu)) return error;
  }
  if (annotates) {
    if (cudaError_t error = start_annotation(annotate)) return error;
  }
  if (!json.empty() || annotates) {
    tools().modelling.set_lines(true);
    tools().counting = true;
  }
  return cudaSuccess;
}

void want_times() { tools().counting = true; }

observe::Observer* launch_observer() {
  Tools& t = tools();
  check::Checker* const checker = launch_checker();
  if (!t.counting) return checker;
  if (!checker) return &t.modelling;
  if (!t.both) t.both = std::make_unique<check::Together>(t.modelling, *checker);
  return t.both.get();
}

void stop_counting() { tools().counting = false; }

std::optional<double> modelled_ns() {
  if (!tools().counting) return std::nullopt;
  return tools().modelling.last().ns;
}

}  // namespace emu::cudart
