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
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/exercise/types.hpp"

namespace course::exercise {

class Arrays {
 public:
  template <class T>
  void set(const std::string& name, const std::vector<T>& values) {
    const auto* data = reinterpret_cast<const char*>(values.data());
    set_bytes(name, TypeName<T>::value, std::string(data, values.size() * sizeof(T)));
  }
  // A number is an array of one.
  template <class T>
  void set_one(const std::string& name, T value) {
    set(name, std::vector<T>{value});
  }

  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  // Whether an array of this name is there with elements of type T.
  template <class T>
  bool has(const std::string& name) const {
    return has(name, TypeName<T>::value);
  }

  template <class T>
  std::vector<T> get(const std::string& name) const {
    const std::string& data = bytes(name, TypeName<T>::value);
    std::vector<T> values(data.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), data.data(), data.size());
    return values;
  }
  template <class T>
  T one(const std::string& name) const {
    const std::vector<T> values = get<T>(name);
    if (values.size() != 1) throw std::runtime_error("'" + name + "' is not one number");
    return values[0];
  }

  // The same without a type of C++: `type` is what TypeName calls it.
  bool has(const std::string& name, const std::string& type) const;
  const std::string& bytes(const std::string& name, const std::string& type) const;
  void set_bytes(const std::string& name, const std::string& type, std::string bytes);

  // Written beside its place and renamed: nobody ever reads half a file.
  void save(const std::string& path) const;
  // What cannot be read throws: the file may come from a stranger's program.
  static Arrays load(const std::string& path);

 private:
  struct Array {
    std::string type;
    std::size_t count = 0;
    std::string bytes;
  };
  std::map<std::string, Array> arrays_;
};

}  // namespace course::exercise
