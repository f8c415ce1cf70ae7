// SPDX-License-Identifier: MIT
// What a piece of code prints to one of the standard streams.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace support {

inline std::string contents_of(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  return text;
}

// Calls f and returns all it wrote to `stream` (stdout or stderr), from C and from C++.
template <class F>
std::string captured(std::FILE* stream, F&& f) {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("no temporary file");
  std::fflush(stream);
  const int number = fileno(stream), kept = dup(number);
  dup2(fileno(file), number);
  f();
  std::fflush(stream);
  dup2(kept, number);
  close(kept);
  const std::string text = contents_of(file);
  std::fclose(file);
  return text;
}

}  // namespace support
