// SPDX-License-Identifier: MIT
#include "lock_free/verdict.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "lock_free/map_specifications.hpp"
#include "lock_free/specifications.hpp"

namespace lock_free {

namespace {

constexpr const char* kUnexplained = "no order of the operations explains the answers";

// Every pushed value is different, so each can be followed through the history.
std::string wrong_elements(const History& history) {
  std::set<std::uint32_t> in, out;
  for (const Operation& operation : history) {
    if (operation.kind == Kind::Push && operation.ok != 0) in.insert(operation.value);
  }
  for (const Operation& operation : history) {
    if (operation.kind != Kind::Pop || operation.ok == 0) continue;
    const std::string value = std::to_string(operation.result);
    if (in.count(operation.result) == 0)
      return "invented: " + value + " came out and never went in";
    if (!out.insert(operation.result).second) return "twice: " + value + " came out a second time";
  }
  for (const std::uint32_t value : in) {
    if (out.count(value) == 0) {
      return "lost: " + std::to_string(value) + " went in, never came out and is not inside";
    }
  }
  return "";
}

// A queue hands what one thread pushed to one reader in the order in which it was pushed.
std::string wrong_fifo(const History& history) {
  std::map<std::uint32_t, const Operation*> pushed;
  for (const Operation& operation : history) {
    if (operation.kind == Kind::Push && operation.ok != 0) pushed[operation.value] = &operation;
  }
  for (const Operation& a : history) {
    for (const Operation& b : history) {
      if (a.kind != Kind::Pop || b.kind != Kind::Pop || a.ok == 0 || b.ok == 0) continue;
      if (!precedes(a, b, Order::ProgramOrder)) continue;
      const Operation &first = *pushed.at(a.result), &second = *pushed.at(b.result);
      if (first.thread == second.thread && precedes(second, first, Order::ProgramOrder)) {
        return "out of order: " + std::to_string(a.result) + " came out before " +
               std::to_string(b.result) + ", which the same thread pushed earlier";
      }
    }
  }
  return "";
}

bool explained(const History& history, const Rules& rules) {
  const Full full = rules.pool ? Full::Pool : Full::Exact;
  return rules.shape == Shape::Queue
             ? linearizable(history, BoundedQueue(rules.capacity, full), rules.order)
             : linearizable(history, BoundedStack(rules.capacity, full), rules.order);
}

std::string wrong_container(const History& history, const Rules& rules) {
  if (std::string reason = wrong_elements(history); !reason.empty()) return reason;
  if (rules.shape == Shape::Queue) {
    if (std::string reason = wrong_fifo(history); !reason.empty()) return reason;
  }
  return explained(history, rules) ? "" : kUnexplained;
}

template <class S>
std::string wrong_map(const History& history, const Rules& rules, const S& whole, const S& alone) {
  if (rules.order == Order::RealTime) {
    return linearizable(history, whole, rules.order) ? "" : kUnexplained;
  }
  std::map<std::uint32_t, History> of_key;
  for (const Operation& operation : history) {
    const bool puts = operation.kind == Kind::Insert || operation.kind == Kind::Add;
    if (puts && operation.ok == kFull) continue;
    of_key[operation.key].push_back(operation);
  }
  for (const auto& [key, part] : of_key) {
    if (!linearizable(part, alone, rules.order)) {
      return std::string(kUnexplained) + " about the key " + std::to_string(key);
    }
  }
  return "";
}

std::string wrong_lock(const History& history, Order order) {
  std::set<std::uint32_t> seen;
  for (const Operation& operation : history) {
    if (operation.ok == 0) return "two threads were inside the lock";
    if (!seen.insert(operation.result).second) {
      return "lost: two holders of the lock found the counter at " +
             std::to_string(operation.result);
    }
  }
  return linearizable(history, LockedCounter(), order) ? "" : kUnexplained;
}

// Whoever saw the flag (ok) must see the message that was written before it.
std::string wrong_message(const History& history) {
  for (const Operation& operation : history) {
    if (operation.kind == Kind::Pop && operation.ok != 0 && operation.result != operation.value) {
      return "the flag of message " + std::to_string(operation.value) +
             " was seen, but the data was " + std::to_string(operation.result);
    }
  }
  return "";
}

// Every task is run once, and not before what its parent wrote for it can be seen.
std::string wrong_tasks(const History& history) {
  for (const Operation& operation : history)
    if (operation.kind == Kind::Pop && operation.key != 0)
      return "too early: task " + std::to_string(operation.result) +
             " did not find what its parent had written";
  return wrong_elements(history);
}

}  // namespace

std::string what_is_wrong(const History& history, const Rules& rules) {
  switch (rules.shape) {
    case Shape::Map:
      return wrong_map(history, rules, BoundedMap(rules.capacity), BoundedMap(1));
    case Shape::Table:
    case Shape::Reusing: {
      const bool pool = rules.pool || rules.shape == Shape::Reusing;
      const Full full = pool ? Full::Pool : Full::Exact;
      return wrong_map(history, rules, BoundedTable(rules.capacity, full), BoundedTable(1, full));
    }
    case Shape::Lock:
      return wrong_lock(history, rules.order);
    case Shape::Message:
      return wrong_message(history);
    case Shape::Tasks:
      return wrong_tasks(history);
    default:
      return wrong_container(history, rules);
  }
}

std::string text(const Operation& o) {
  static constexpr const char* kInsertNames[] = {"inserted", "present", "full", "refused"};
  std::ostringstream out;
  switch (o.kind) {
    case Kind::None:
      break;
    case Kind::Push:
      out << "push(" << o.value << ") = " << (o.ok != 0 ? "done" : "full");
      break;
    case Kind::Pop:
      out << "pop() = ";
      o.ok != 0 ? out << o.result : out << "empty";
      break;
    case Kind::Insert:
      out << "insert(" << o.key << ", " << o.value << ") = " << kInsertNames[o.ok & 3];
      break;
    case Kind::Find:
      out << "find(" << o.key << ") = ";
      o.ok != 0 ? out << o.result : out << "nothing";
      break;
    case Kind::Erase:
      out << "erase(" << o.key << ") = " << (o.ok != 0 ? "done" : "nothing");
      break;
    case Kind::Add:
      out << "insert_or_add(" << o.key << ", " << o.value << ") = " << kInsertNames[o.ok & 3];
      break;
    case Kind::Increment:
      out << "increment() found " << o.result;
      break;
  }
  return out.str();
}

std::string text(const History& history, const std::vector<std::string>& names) {
  History sorted = history;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Operation& a, const Operation& b) {
    return a.phase != b.phase ? a.phase < b.phase : a.begin < b.begin;
  });
  std::ostringstream out;
  for (const Operation& o : sorted) {
    if (o.phase == Phase::During) {
      out << "  " << (names.empty() ? "thread " + std::to_string(o.thread) : names.at(o.thread))
          << ", from " << o.begin << " to " << o.end << ": ";
    } else {
      out << (o.phase == Phase::Before ? "  before: " : "  after: ");
    }
    out << text(o) << '\n';
  }
  return out.str();
}

}  // namespace lock_free
