// SPDX-License-Identifier: MIT
// The files of arrays. Compiled once: judges and runners are linked with it.
#include "common/exercise/arrays.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace course::exercise {
namespace {

std::size_t size_of_type(const std::string& type) {
  if (type == "u8") return 1;
  if (type == "i32" || type == "u32" || type == "f32") return 4;
  if (type == "i64" || type == "u64" || type == "f64") return 8;
  throw std::runtime_error("there is no type '" + type + "'");
}

}  // namespace

std::vector<std::string> Arrays::names() const {
  std::vector<std::string> all;
  for (const auto& [name, array] : arrays_) all.push_back(name);
  return all;
}

bool Arrays::has(const std::string& name) const { return arrays_.count(name) > 0; }

bool Arrays::has(const std::string& name, const std::string& type) const {
  const auto it = arrays_.find(name);
  return it != arrays_.end() && it->second.type == type;
}

const std::string& Arrays::bytes(const std::string& name, const std::string& type) const {
  if (!has(name, type)) throw std::runtime_error("no array '" + name + "' of " + type);
  return arrays_.at(name).bytes;
}

void Arrays::set_bytes(const std::string& name, const std::string& type, std::string bytes) {
  const std::size_t count = bytes.size() / size_of_type(type);
  arrays_[name] = {type, count, std::move(bytes)};
}

void Arrays::save(const std::string& path) const {
  const std::string fresh = path + ".new";
  {
    std::ofstream out(fresh, std::ios::binary);
    out << "warpladder-arrays 1\n";
    for (const auto& [name, array] : arrays_) {
      out << name << ' ' << array.type << ' ' << array.count << '\n';
      out.write(array.bytes.data(), static_cast<std::streamsize>(array.bytes.size()));
    }
    out << "end\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + fresh);
  }
  std::filesystem::rename(fresh, path);
}

Arrays Arrays::load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  const std::size_t whole = std::filesystem::file_size(path);
  std::string line;
  std::getline(in, line);
  if (line != "warpladder-arrays 1") throw std::runtime_error("not a file of arrays");
  Arrays arrays;
  while (std::getline(in, line) && line != "end") {
    if (line.size() > 200 || arrays.arrays_.size() >= 100)
      throw std::runtime_error("damaged file of arrays");
    std::istringstream words(line);
    std::string name;
    Array array;
    words >> name >> array.type >> array.count;
    if (!words) throw std::runtime_error("damaged file of arrays");
    const std::size_t size = size_of_type(array.type);
    if (array.count > whole / size) throw std::runtime_error("damaged file of arrays");
    array.bytes.resize(array.count * size);
    in.read(array.bytes.data(), static_cast<std::streamsize>(array.bytes.size()));
    arrays.arrays_[name] = std::move(array);
  }
  if (!in || line != "end") throw std::runtime_error("the file of arrays has no end");
  return arrays;
}

}  // namespace course::exercise
