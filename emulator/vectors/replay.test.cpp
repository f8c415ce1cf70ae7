// SPDX-License-Identifier: MIT
// The recorded vectors, replayed: what a real GPU gave must come out of the emulator, to the bit where
// PTX defines it. And: no row, and no type of a row, without a vector or a reason.
#include "vectors/replay.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "vectors/approximate.hpp"

using namespace emu;
using namespace emu::vectors;

namespace {

const Recording& recording() {
  static const Recording loaded = load_recording(committed_recording());
  return loaded;
}

const std::string* reason_for(const std::vector<std::pair<std::string, std::string>>& list,
                              const std::string& what) {
  for (const auto& [name, why] : list)
    if (name == what) return &why;
  return nullptr;
}

// Types that a row lists and no vector can hold.
const std::set<std::string> kTypesWithoutVectors{
    "cvta.u32",                                         // refused: addresses have 64 bits
    "mov.f16",  "mov.bf16", "mov.f16x2", "mov.bf16x2",  // ptxas wants b16 and b32
    "ld.f16",   "ld.bf16",  "st.f16",    "st.bf16",     // likewise
};

// Which rows with which types the kernels of the catalogue hold.
std::set<std::string> covered() {
  std::set<std::string> names;
  for (const Variant& v : catalogue()) {
    const auto module = ptx::parse(v.ptx);
    bool own = false;
    for (const auto& function : module->functions)
      for (const auto& instruction : function->code) {
        const std::string id(ptx::info(instruction.row).id);
        if (id != v.row) continue;
        own = true;
        names.insert(id);
        for (const ptx::Type t : instruction.types)
          names.insert(id + "." + std::string(ptx::name_of(t)));
      }
    INFO(v.row << ": " << v.text);
    CHECK(own);
  }
  return names;
}

}  // namespace

TEST_CASE(
    "vectors: every row of the instruction table, in each type, is recorded or has a reason") {
  const auto names = covered();
  std::string missing, needless;
  for (std::size_t i = 0; i < ptx::kRowCount; ++i) {
    const auto& info = ptx::info(static_cast<ptx::Row>(i));
    const std::string id(info.id);
    if (reason_for(rows_without_vectors(), id) != nullptr) {
      if (names.contains(id)) needless += " " + id;
      continue;
    }
    if (!names.contains(id)) missing += " " + id;
    for (int t = 1; ptx::name_of(static_cast<ptx::Type>(t)) != ""; ++t) {
      const std::string name = id + "." + std::string(ptx::name_of(static_cast<ptx::Type>(t)));
      if (!ptx::lists(info.types, ptx::name_of(static_cast<ptx::Type>(t)))) continue;
      if (!names.contains(name) && !kTypesWithoutVectors.contains(name)) missing += " " + name;
    }
  }
  CHECK(missing == "");
  CHECK(needless == "");
}

TEST_CASE("vectors: no two kernels are the same") {
  std::map<std::uint64_t, std::string> seen;
  for (const Variant& v : catalogue()) {
    const auto [at, fresh] = seen.emplace(v.fingerprint(), v.text);
    INFO(v.text);
    CHECK(fresh);
  }
}

TEST_CASE("vectors: the recording comes from a GPU and holds every kernel") {
  INFO("record again: scripts/record_vectors.sh on a GPU, then emulator_vectors pack");
  CHECK(recording().device.starts_with("NVIDIA"));
  CHECK(recording().by_kernel.size() == catalogue().size());
  for (const Variant& v : catalogue()) {
    INFO(v.row << ": " << v.text);
    const auto found = recording().by_kernel.find(v.fingerprint());
    REQUIRE(found != recording().by_kernel.end());
    INFO(found->second.problem);
    CHECK(found->second.output.size() == v.output_bytes);
  }
}

TEST_CASE("vectors: what PTX defines exactly is equal to the bit") {
  std::set<std::string> rows;
  std::size_t kernels = 0, bytes = 0;
  for (const Variant& v : catalogue()) {
    if (v.rule != Rule::Exact) continue;
    const auto found = recording().by_kernel.find(v.fingerprint());
    if (found == recording().by_kernel.end()) continue;  // the case above fails
    const std::string wrong = difference(v, run_emulated(v), found->second.output);
    const std::string* known = reason_for(known_differences(), v.text);
    INFO(v.row << ": " << v.text << "\n" << wrong);
    if (known != nullptr)
      CHECK(wrong != "");  // else it is no difference any more: take it from the list
    else
      CHECK(wrong == "");
    rows.insert(v.row), ++kernels, bytes += v.output_bytes;
  }
  std::cout << rows.size() << " rows, " << kernels << " kernels, " << bytes
            << " bytes of results compared with " << recording().device << "\n";
}

TEST_CASE("vectors: the approximate functions stay within the error PTX documents") {
  std::size_t functions = 0;
  for (const Variant& v : catalogue()) {
    if (v.rule != Rule::Approximate) continue;
    const auto found = recording().by_kernel.find(v.fingerprint());
    if (found == recording().by_kernel.end()) continue;
    const Judgement j = judge(v, run_emulated(v), found->second.output);
    INFO(v.text << j.problem);
    CHECK(j.problem == "");
    CHECK(j.compared * 3 > v.lanes);  // the operands are mostly where an error is documented
    ++functions;
  }
  CHECK(functions == 30);
}

// The values the emulator gives for them are its own choice: the same on every machine, for ever.
TEST_CASE("vectors: the approximate functions are frozen") {
  static const std::map<std::string, std::uint64_t> frozen{
#define FROZEN(text, hash) {text, hash},
#include "vectors/frozen.def"
#undef FROZEN
  };
  for (const Variant& v : catalogue()) {
    if (v.rule != Rule::Approximate) continue;
    INFO(v.text << ": emulator_vectors frozen prints the list");
    const auto found = frozen.find(v.text);
    REQUIRE(found != frozen.end());
    CHECK(found->second == hash_of_output(run_emulated(v)));
  }
}

TEST_CASE("vectors: a difference is shown with lane and operands") {
  const Variant& v = catalogue().front();  // add.u16
  auto got = run_emulated(v), want = got;
  CHECK(difference(v, got, want) == "");
  want[4] ^= std::byte{1};
  CHECK(difference(v, got, want).find("1 elements differ\n    lane 2, operands 0x") == 0);
}

TEST_CASE("vectors: a damaged recording is refused") {
  Recording small;
  small.device = "NVIDIA nothing";
  small.by_kernel[7].output = {std::byte{1}, std::byte{2}};
  small.by_kernel[9].problem = "refused";
  const std::string bytes = to_bytes(small);
  CHECK(from_bytes(bytes).by_kernel.at(7).output.size() == 2);
  CHECK(from_bytes(bytes).by_kernel.at(9).problem == "refused");
  for (std::size_t n = 0; n < bytes.size(); ++n) CHECK_THROWS(from_bytes(bytes.substr(0, n)));
  CHECK_THROWS(from_bytes(bytes + "x"));
}
