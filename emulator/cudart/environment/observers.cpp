// SPDX-License-Identifier: MIT
// Counters that the environment asks for (WARPLADDER_COUNTERS names a JSON file, WARPLADDER_ANNOTATE
// prints the annotated source when the program ends), pictures for a report (WARPLADDER_PICTURE), and
// those behind the modelled clock.
#include "cudart/environment/observers.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "annotate/annotate.hpp"
#include "annotate/counters_json.hpp"
#include "check/together.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/settings.hpp"
#include "machine/json_file.hpp"
#include "picture/picture_json.hpp"
#include "timing/modelling.hpp"

namespace emu::cudart {
namespace {

// Lives until the process ends, and is never destroyed: a program may launch from a destructor.
struct Tools {
  std::vector<std::unique_ptr<observe::Modelling>> models;  // by device
  bool counting = false;
  Tools() { models.push_back(std::make_unique<observe::Modelling>()); }
  observe::Modelling& modelling(int device) { return *models[static_cast<std::size_t>(device)]; }
  std::unique_ptr<observe::JsonFile> json, pictures;
  bool write_failed = false;
  std::optional<observe::Picture> picture;
  observe::Annotation annotation;
  std::FILE* annotate_to = nullptr;
  std::map<int, check::Together> both;  // counts and checks, by device
};
Tools& tools() {
  static auto* all = new Tools;
  return *all;
}

cudaError_t refuse(const std::string& setting, const std::string& why) {
  say(setting + " " + why);
  return cudaErrorInitializationError;
}

void write_launch(observe::JsonFile& file, const std::string& launch, const std::string& setting) {
  Tools& t = tools();
  if (file.append(launch) || t.write_failed) return;
  t.write_failed = true;
  say("the file of " + setting +
      " cannot be written any more: " + std::string(std::strerror(errno)));
}

void print_annotation() {
  Tools& t = tools();
  const std::string text = t.annotation.text();
  std::fputs(text.empty() ? "no kernel was launched\n" : text.c_str(), t.annotate_to);
  std::fflush(t.annotate_to);
}

// The file of a setting; nullptr, and a line that says why, if there can be none.
std::unique_ptr<observe::JsonFile> open_json(const std::string& setting, const std::string& path,
                                             std::string_view schema, const devices::Profile& gpu) {
  auto file = observe::JsonFile::create(path, schema, gpu.id);
  if (!file) {
    refuse(setting + "=" + path,
           "is no file that can be written: " + std::string(std::strerror(errno)));
  }
  return file;
}

cudaError_t start_json(const std::string& path, const devices::Profile& gpu) {
  Tools& t = tools();
  t.json = open_json("WARPLADDER_COUNTERS", path, observe::kCountersSchema, gpu);
  if (!t.json) return cudaErrorInitializationError;
  for (auto& model : t.models)
    model->add_sink([](const observe::LaunchCounts& launch, const observe::Modelled& modelled) {
      write_launch(*tools().json, to_json(launch, &modelled), "WARPLADDER_COUNTERS");
    });
  return cudaSuccess;
}

cudaError_t start_picture(const std::string& path, const devices::Profile& gpu) {
  Tools& t = tools();
  t.pictures = open_json("WARPLADDER_PICTURE", path, observe::kPictureSchema, gpu);
  if (!t.pictures) return cudaErrorInitializationError;
  t.picture.emplace(t.modelling(0), [](const observe::PictureLaunch& launch) {
    write_launch(*tools().pictures, to_json(launch), "WARPLADDER_PICTURE");
  });
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
  for (auto& model : t.models)
    model->add_sink([](const observe::LaunchCounts& launch, const observe::Modelled& modelled) {
      tools().annotation.add(launch, &modelled);
    });
  std::atexit(print_annotation);
  return cudaSuccess;
}

}  // namespace

cudaError_t start_counting(const devices::Profile& gpu, int device_count) {
  while (tools().models.size() < static_cast<std::size_t>(device_count))
    tools().models.push_back(std::make_unique<observe::Modelling>());
  const std::string json = setting("WARPLADDER_COUNTERS");
  const std::string annotate = setting("WARPLADDER_ANNOTATE");
  const std::string picture = setting("WARPLADDER_PICTURE");
  const bool annotates = !annotate.empty() && annotate != "0";
  if (!json.empty()) {
    if (cudaError_t error = start_json(json, gpu)) return error;
  }
  if (annotates) {
    if (cudaError_t error = start_annotation(annotate)) return error;
  }
  if (!picture.empty()) {
    if (cudaError_t error = start_picture(picture, gpu)) return error;
  }
  if (!json.empty() || annotates || !picture.empty()) {
    for (auto& model : tools().models) model->set_explained(true);
    tools().counting = true;
  }
  return cudaSuccess;
}

void want_times() { tools().counting = true; }

observe::Observer* launch_counter(int device) {
  Tools& t = tools();
  if (!t.counting) return nullptr;
  if (t.picture && device == 0) return &*t.picture;
  return &t.modelling(device);
}

observe::Observer* launch_observer(int device) {
  observe::Observer* const counts = launch_counter(device);
  check::Checker* const checker = launch_checker();
  if (!counts || !checker) return counts ? counts : checker;
  return &tools().both.try_emplace(device, *counts, *checker).first->second;
}

void stop_counting() { tools().counting = false; }

void flush_modelled_l2() {
  if (!tools().counting) return;
  for (auto& model : tools().models) model->flush_l2();
}
void touch_modelled_l2(std::uint64_t address, std::uint64_t bytes, observe::TouchedBy by) {
  if (!tools().counting) return;
  for (auto& model : tools().models) model->touch_l2(address, bytes, by);
}

void modelled_memset() {
  if (!tools().counting) return;
  for (auto& model : tools().models) model->another_kernel();
}

std::optional<double> modelled_ns(int device) {
  if (!tools().counting) return std::nullopt;
  return tools().modelling(device).last().ns;
}

}  // namespace emu::cudart
