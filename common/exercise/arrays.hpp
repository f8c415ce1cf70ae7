// SPDX-License-Identifier: MIT
// Named arrays in a file: how an exercise's judge gives a case to the runner, and how the runner
// gives back what the student's code computed.
//
// The file: the line "warpladder-arrays 1", then for each array one line "NAME TYPE COUNT" and its
// elements as they lie in memory, then a line "end". A file without its end is no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/exercise/types.hpp"

namespace course::exercise {

inline std::size_t size_of_type(const std::string& type) {
  if (type == "u8") return 1;
  if (type == "i32" || type == "u32" || type == "f32") return 4;
  if (type == "i64" || type == "u64" || type == "f64") return 8;
  throw std::runtime_error("there is no type '" + type + "'");
}

class Arrays {
 public:
  template <class T>
  void set(const std::string& name, const std::vector<T>& values) {
    Array& array = arrays_[name];
    array.type = TypeName<T>::value;
    array.count = values.size();
    array.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  }
  // A number is an array of one.
  template <class T>
  void set_one(const std::string& name, T value) {
    set(name, std::vector<T>{value});
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, array] : arrays_) all.push_back(name);
    return all;
  }
  bool has(const std::string& name) const { return arrays_.count(name) > 0; }
  // Whether an array of this name is there with elements of type T.
  template <class T>
  bool has(const std::string& name) const {
    const auto it = arrays_.find(name);
    return it != arrays_.end() && it->second.type == TypeName<T>::value;
  }

  template <class T>
  std::vector<T> get(const std::string& name) const {
    if (!has<T>(name)) throw std::runtime_error("no array '" + name + "' of " + TypeName<T>::value);
    const Array& array = arrays_.at(name);
    std::vector<T> values(array.count);
    if (array.count) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
  }
  template <class T>
  T one(const std::string& name) const {
    const std::vector<T> values = get<T>(name);
    if (values.size() != 1) throw std::runtime_error("'" + name + "' is not one number");
    return values[0];
  }

  // The same without the type: what run.cpp works with. The type must be right.
  const std::string& bytes(const std::string& name, const std::string& type) const {
    const auto it = arrays_.find(name);
    if (it == arrays_.end() || it->second.type != type)
      throw std::runtime_error("no array '" + name + "' of " + type);
    return it->second.bytes;
  }
  void set_bytes(const std::string& name, const std::string& type, std::string bytes) {
    const std::size_t count = bytes.size() / size_of_type(type);
    arrays_[name] = {type, count, std::move(bytes)};
  }

  // Written beside its place and renamed: nobody ever reads half a file.
  void save(const std::filesystem::path& path) const {
    const std::filesystem::path fresh = path.string() + ".new";
    {
      std::ofstream out(fresh, std::ios::binary);
      out << "warpladder-arrays 1\n";
      for (const auto& [name, array] : arrays_) {
        out << name << ' ' << array.type << ' ' << array.count << '\n';
        out.write(array.bytes.data(), static_cast<std::streamsize>(array.bytes.size()));
      }
      out << "end\n";
      if (!out.flush()) throw std::runtime_error("cannot write " + fresh.string());
    }
    std::filesystem::rename(fresh, path);
  }

  // What cannot be read throws: the file may come from a stranger's program.
  static Arrays load(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
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

 private:
  struct Array {
    std::string type;
    std::size_t count = 0;
    std::string bytes;
  };
  std::map<std::string, Array> arrays_;
};

}  // namespace course::exercise
