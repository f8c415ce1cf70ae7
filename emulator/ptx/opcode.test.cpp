// SPDX-License-Identifier: MIT
// Which row of the table an opcode finds, and why some find none.
#include "ptx/opcode.hpp"

#include <set>

#include "support/catch.hpp"

using namespace emu::ptx;

namespace {

// "ld.global.u32"
Opcode find(std::string_view spelled) {
  std::vector<std::string_view> words;
  const auto mnemonic = spelled.substr(0, spelled.find('.'));
  auto rest = spelled.substr(mnemonic.size());
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const auto end = rest.find('.');
    words.push_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? "" : rest.substr(end);
  }
  return find_opcode(mnemonic, words);
}

std::string_view row_of(std::string_view spelled) { return info(find(spelled).row).id; }

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (end != 0) words.emplace_back(list.substr(0, end));
    list = end == std::string_view::npos ? "" : list.substr(end + 1);
  }
  return words;
}

}  // namespace

TEST_CASE("every row names known types, has its own id, and is found by its required words") {
  std::set<std::string_view> ids;
  for (const auto& row : all_rows()) {
    INFO(row.id);
    CHECK(ids.insert(row.id).second);
    for (const auto& type : split(row.types)) CHECK(type_from(type).has_value());
    for (const auto& word : split(row.modifiers)) {
      CHECK_FALSE(type_from(word).has_value());
      CHECK(word.find('.') == std::string::npos);
    }
    if (row.mnemonic.empty()) continue;
    for (const auto& type : row.types.empty() ? std::vector<std::string>{""} : split(row.types)) {
      std::string spelled(row.mnemonic);
      for (const auto& word : split(row.modifiers))
        if (word.front() == '+') spelled += "." + word.substr(1);
      if (!type.empty()) spelled += "." + type;
      INFO(spelled);
      CHECK(row_of(spelled) == row.id);
    }
  }
}

TEST_CASE("types and modifiers are told apart and keep their order") {
  const auto op = find("cvt.rn.satfinite.e4m3x2.f32");
  CHECK(op.row == Row::cvt);
  CHECK(op.mods == std::vector<std::string_view>{"rn", "satfinite"});
  CHECK(op.types == std::vector<Type>{Type::E4M3x2, Type::F32});
  const auto set = find("set.lt.and.u32.f32");
  CHECK(set.mods == std::vector<std::string_view>{"lt", "and"});
  CHECK(set.types == std::vector<Type>{Type::U32, Type::F32});
}

TEST_CASE("the type decides between rows of one mnemonic") {
  CHECK(row_of("add.s32") == "add_int");
  CHECK(row_of("add.rn.ftz.f32") == "add_float");
  CHECK(row_of("add.f16x2") == "add_half");
  CHECK(row_of("tanh.approx.bf16x2") == "tanh_half");
  CHECK(row_of("ex2.approx.ftz.f32") == "ex2");
}

TEST_CASE("a required modifier decides between rows of one mnemonic") {
  CHECK(row_of("mad.lo.s32") == "mad_int");
  CHECK(row_of("mad.lo.cc.u32") == "mad_cc");
  CHECK(row_of("bar.sync") == "bar");
  CHECK(row_of("bar.warp.sync") == "bar_warp");
  CHECK(row_of("bar.red.popc.u32") == "bar_red");
  CHECK(row_of("barrier.cluster.arrive.release.aligned") == "barrier_cluster");
  CHECK(row_of("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64") == "mbarrier_arrive");
  CHECK(row_of("mbarrier.expect_tx.relaxed.cta.shared::cta.b64") == "mbarrier_expect_tx");
  CHECK(row_of("cp.async.cg.shared.global.L2::128B") == "cp_async");
  CHECK(row_of("cp.async.wait_group") == "cp_async_wait_group");
  CHECK(row_of("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes") ==
        "cp_async_bulk");
  CHECK(row_of("cp.async.bulk.wait_group.read") == "cp_async_bulk_wait");
  CHECK(row_of("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32") == "st_async");
  CHECK(row_of("fence.proxy.async.shared::cta") == "fence_proxy");
  CHECK(row_of("fence.mbarrier_init.release.cluster") == "fence_mbarrier_init");
}

TEST_CASE("the order of modifiers is free") {
  CHECK(row_of("vote.sync.ballot.b32") == "vote");
  CHECK(row_of("vote.ballot.sync.b32") == "vote");
  CHECK(row_of("atom.global.acq_rel.gpu.add.u32") == "atom");
  CHECK(row_of("atom.acq_rel.gpu.global.add.u32") == "atom");
}

TEST_CASE("families that are left out say what they are") {
  CHECK(
      find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").why ==
      "tensor-core instruction mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 is not supported");
  CHECK(find("tex.2d.v4.f32.s32").why.substr(0, 19) == "texture and surface");
  CHECK(find("cp.async.bulk.tensor.2d.shared::cluster.global.tile").why.substr(0, 10) ==
        "tensor-map");
  CHECK(find("multimem.red.add.u32").why.substr(0, 8) == "multimem");
  CHECK(find("vadd4.u32.u32.u32").why.substr(0, 5) == "video");
}

TEST_CASE("what no row accepts names the word at fault") {
  CHECK(find("frobnicate.u32").why == "unknown instruction frobnicate.u32");
  CHECK(find("add.wide.u32").why == "modifier .wide is not known for add");
  CHECK(find("popc.u32").why == "type .u32 is not known for popc");
  CHECK(find("vote.ballot.b32").why == "vote.ballot.b32 lacks the modifier .sync");
  CHECK(find("popc").why == "popc has no type");
  CHECK(find("add.cc.f32").why == "the modifiers and types of add.cc.f32 do not go together");
}

TEST_CASE("the syntax of a row gives how many operands it takes") {
  const auto is = [](Row row, std::size_t least, std::size_t most) {
    const auto found = arity(row);
    return found.least == least && found.most == most;
  };
  CHECK(is(Row::add_int, 3, 3));
  CHECK(is(Row::setp, 3, 4));
  CHECK(is(Row::lop3, 5, 6));
  CHECK(is(Row::ld, 2, 3));
  CHECK(is(Row::bar_red, 3, 4));
  CHECK(is(Row::cp_async_bulk, 3, 6));
  CHECK(is(Row::ret, 0, 0));
}
