// SPDX-License-Identifier: MIT
// What the map of lesson 06 and the tables of lesson 11 do when one thread calls them: the yardstick of linearizable.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lock_free/operation.hpp"
#include "lock_free/specifications.hpp"

namespace lock_free {

// A slot once used belongs to its key for good: an erased key may come back, another may not take
// its place. kRefused is for the keys and values that the map keeps for itself.
class BoundedMap {
 public:
  BoundedMap(std::size_t capacity, std::set<std::uint32_t> refused_keys = {})
      : capacity_(capacity), refused_(std::move(refused_keys)) {}

  bool apply(const Operation& operation, std::size_t) {
    const auto slot = slots_.find(operation.key);
    const bool present = slot != slots_.end() && slot->second.has_value();
    switch (operation.kind) {
      case Kind::Insert: {
        InsertResult right = kInserted;
        if (refused_.count(operation.key) != 0) {
          right = kRefused;
        } else if (present) {
          right = kPresent;
        } else if (slot == slots_.end() && slots_.size() >= capacity_) {
          right = kFull;
        }
        if (operation.ok != right) return false;
        if (right == kInserted) slots_[operation.key] = operation.value;
        return true;
      }
      case Kind::Find:
        return operation.ok == (present ? 1u : 0u) &&
               (!present || *slot->second == operation.result);
      case Kind::Erase:
        if (operation.ok != (present ? 1u : 0u)) return false;
        if (present) slot->second.reset();
        return true;
      default:
        return false;
    }
  }
  std::vector<std::uint32_t> state() const {
    std::vector<std::uint32_t> words;
    for (const auto& [key, value] : slots_) {
      words.insert(words.end(), {key, value.has_value() ? 1u : 0u, value.value_or(0)});
    }
    return words;
  }

 private:
  std::size_t capacity_;
  std::set<std::uint32_t> refused_;
  std::map<std::uint32_t, std::optional<std::uint32_t>> slots_;
};

// The tables of lesson 11. Full::Pool: one that gives slots back looks at one after the other, one with
// fingerprints takes a slot before it fills it; they may call themselves full if they would be, were each
// operation under way to hold a slot.
class BoundedTable {
 public:
  BoundedTable(std::size_t capacity, Full full) : capacity_(capacity), full_(full) {}

  bool apply(const Operation& operation, std::size_t pending) {
    const auto slot = values_.find(operation.key);
    const bool present = slot != values_.end();
    switch (operation.kind) {
      case Kind::Insert:
      case Kind::Add: {
        const std::size_t held = full_ == Full::Pool ? pending : 0;
        if (operation.ok == kFull) return !present && values_.size() + held >= capacity_;
        if (operation.ok != (present ? kPresent : kInserted)) return false;
        if (!present && values_.size() >= capacity_) return false;
        if (!present)
          values_[operation.key] = operation.value;
        else if (operation.kind == Kind::Add)
          slot->second += operation.value;
        return true;
      }
      case Kind::Find:
        return operation.ok == (present ? 1u : 0u) &&
               (!present || slot->second == operation.result);
      case Kind::Erase:
        if (operation.ok != (present ? 1u : 0u)) return false;
        if (present) values_.erase(slot);
        return true;
      default:
        return false;
    }
  }
  std::vector<std::uint32_t> state() const {
    std::vector<std::uint32_t> words;
    for (const auto& [key, value] : values_) words.insert(words.end(), {key, value});
    return words;
  }

 private:
  std::size_t capacity_;
  Full full_;
  std::map<std::uint32_t, std::uint32_t> values_;
};

}  // namespace lock_free
