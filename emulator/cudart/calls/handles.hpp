// SPDX-License-Identifier: MIT
// What a program holds of a stream, event, graph or pool: a number that is never given out twice. A
// destroyed or invented handle is looked up and not found; nothing a program passes is
// dereferenced.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

namespace emu::cudart {

// Looks like a pointer, is far from any real one, and is a multiple of 16.
inline std::uintptr_t next_handle() {
  static std::atomic<std::uintptr_t> next{0x00c0'da00'0000'0010};
  return next.fetch_add(16);
}

template <class Handle, class T>
class HandleTable {
 public:
  // Never destroyed: handles may be used while the process ends.
  static HandleTable& instance() {
    static auto* table = new HandleTable;
    return *table;
  }

  Handle add(std::shared_ptr<T> object) {
    Handle handle = reinterpret_cast<Handle>(next_handle());
    object->handle = handle;
    objects_[handle] = std::move(object);
    return handle;
  }
  // nullptr: no such thing, or no longer.
  std::shared_ptr<T> find(Handle handle) const {
    auto it = objects_.find(handle);
    return it == objects_.end() ? nullptr : it->second;
  }
  bool remove(Handle handle) { return objects_.erase(handle) != 0; }
  // In order of creation.
  const std::map<Handle, std::shared_ptr<T>>& all() const { return objects_; }

 private:
  std::map<Handle, std::shared_ptr<T>> objects_;
};

}  // namespace emu::cudart
