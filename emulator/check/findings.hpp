// SPDX-License-Identifier: MIT
// What the checks have found: each kind once in full, then counted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace emu::check {

enum class Check : std::uint8_t { Race, Init, Sync, Api, Leak };
std::string_view name_of(Check check);

// How far apart the threads of a finding are.
enum class Reach : std::uint8_t { Warp, Block, Blocks };

// One of the accesses or calls that a finding is about.
struct Party {
  std::string who;    // "thread (3,0,0) of block (0,0,0)"
  std::string does;   // "writes 7"
  std::string where;  // "file.cu:12", "PTX line 30" or ""
  std::string file;   // as the compiler was told it
  std::uint32_t line = 0;
  std::vector<std::string> inlined;
};

struct Finding {
  Check check = Check::Race;
  std::string id;       // what kind it is: "race-shared"
  bool remark = false;  // worth knowing, but no error
  std::string title;    // "race in shared memory"
  std::string kernel;
  std::string what, why, cure;
  std::vector<Party> parties;
  std::uint64_t count = 1;
  Reach reach = Reach::Warp;

  std::string text() const;  // several lines
};

class Findings {
 public:
  // `say` is given the text of each new finding at once, or of those that may be said better when more is
  // known, in say_waiting().
  explicit Findings(std::function<void(const std::string&)> say) : say_(std::move(say)) {}
  // Later: in say_waiting(); Already: its text was said elsewhere.
  enum class Tell : std::uint8_t { Now, Later, Already };
  // Its number. One that is known already is counted, and told anew where its reach is wider.
  std::size_t add(Finding finding, Tell tell = Tell::Now);
  void again(std::size_t number) { ++all_[number].count; }
  void say_waiting();
  const std::vector<Finding>& all() const { return all_; }
  std::uint64_t errors() const;  // different ones that are no remarks
  std::string summary() const;   // one line; empty: nothing was found

 private:
  std::function<void(const std::string&)> say_;
  std::vector<Finding> all_;
  std::unordered_map<std::string, std::size_t> known_;
  std::vector<std::size_t> waiting_;
};

}  // namespace emu::check
