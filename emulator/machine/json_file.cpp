// SPDX-License-Identifier: MIT
#include "machine/json_file.hpp"

namespace emu::observe {
namespace {

// What closes the document; the next launch is written over it.
constexpr std::string_view kTail = "\n  ]\n}\n";

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::unique_ptr<JsonFile> JsonFile::create(const std::string& path, std::string_view schema,
                                           std::string_view device) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return nullptr;
  std::unique_ptr<JsonFile> result(new JsonFile(file));
  const std::string head = "{\n  \"schema\": " + quoted(schema) +
                           ",\n  \"device\": " + quoted(device) + ",\n  \"launches\": [";
  std::fwrite(head.data(), 1, head.size(), file);
  std::fwrite(kTail.data(), 1, kTail.size(), file);
  return std::fflush(file) == 0 ? std::move(result) : nullptr;
}

JsonFile::~JsonFile() { std::fclose(file_); }

bool JsonFile::append(std::string_view launch) {
  const std::string text = (any_ ? ",\n" : "\n") + std::string(launch);
  any_ = true;
  if (std::fseek(file_, -static_cast<long>(kTail.size()), SEEK_END) != 0) return false;
  std::fwrite(text.data(), 1, text.size(), file_);
  std::fwrite(kTail.data(), 1, kTail.size(), file_);
  return std::fflush(file_) == 0;
}

}  // namespace emu::observe
