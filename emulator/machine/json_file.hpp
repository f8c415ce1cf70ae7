// SPDX-License-Identifier: MIT
// Launches as JSON: one document per process, complete after every launch, so that it can be read
// whatever happens to the program afterwards.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace emu::observe {

class JsonFile {
 public:
  // nullptr if the file cannot be written; errno says why. `device`: the modelled GPU.
  static std::unique_ptr<JsonFile> create(const std::string& path, std::string_view schema,
                                          std::string_view device);
  ~JsonFile();
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;

  // One launch, as an object. False if it could not be written.
  bool append(std::string_view launch);

 private:
  explicit JsonFile(std::FILE* file) : file_(file) {}

  std::FILE* file_;
  bool any_ = false;
};

// Text as JSON writes it.
std::string quoted(std::string_view text);

}  // namespace emu::observe
