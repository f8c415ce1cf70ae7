// SPDX-License-Identifier: MIT
// Launches as JSON: one document per process, complete after every launch, so that it can be read
// whatever happens to the program afterwards.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "counters/counters.hpp"
#include "timing/model.hpp"

namespace emu::observe {

// One launch as a JSON object, with its modelled time if there is one. Zero counters of a line are
// left out.
std::string to_json(const LaunchCounts& launch, const Modelled* modelled = nullptr);

class JsonFile {
 public:
  // nullptr if the file cannot be written; errno says why. `device`: the modelled GPU.
  static std::unique_ptr<JsonFile> create(const std::string& path, std::string_view device);
  ~JsonFile();
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;

  // False if it could not be written.
  bool append(const LaunchCounts& launch, const Modelled* modelled = nullptr);

 private:
  explicit JsonFile(std::FILE* file) : file_(file) {}

  std::FILE* file_;
  bool any_ = false;
};

}  // namespace emu::observe
