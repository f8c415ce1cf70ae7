// SPDX-License-Identifier: MIT
// The order of the blocks of a function, on known graphs and on random ones.
#include "analysis/control_flow.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "analysis/spin_exits.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

std::shared_ptr<const ptx::Module> function_of(const std::string& body) {
  return parsed(kHead + ".entry k() {\n.reg .b32 %r<9>; .reg .pred %p<9>;\n" + body + "\n}\n");
}

FlowGraph graph_of(const std::string& body) { return analyse(*function_of(body)->functions.at(0)); }

// Block of the n-th instruction's place in the order.
std::uint32_t place(const FlowGraph& g, std::uint32_t instruction) {
  return g.position.at(g.block_of.at(instruction));
}

using Bits = std::vector<bool>;

Bits reachable(const FlowGraph& g, std::uint32_t from, std::uint32_t without) {
  Bits seen(g.blocks.size());
  if (from == without) return seen;
  std::vector<std::uint32_t> work{from};
  seen[from] = true;
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    for (const std::uint32_t s : g.blocks[b].successors) {
      if (s == without || seen[s]) continue;
      seen[s] = true;
      work.push_back(s);
    }
  }
  return seen;
}

bool ends(const BasicBlock& block) { return block.successors.empty(); }

// Whether every way from b to an end of the function leads over p (and there is one).
bool post_dominates(const FlowGraph& g, std::uint32_t p, std::uint32_t b) {
  if (p == b) return false;
  const Bits with = reachable(g, b, ptx::kNoIndex), without = reachable(g, b, p);
  bool any = false;
  for (std::uint32_t e = 0; e < g.blocks.size(); ++e) {
    if (!ends(g.blocks[e])) continue;
    any |= with[e];
    if (without[e]) return false;
  }
  return any;
}

// Whether every way back leads to a block that all ways into its loop pass.
bool is_reducible(const FlowGraph& g) {
  for (const std::uint32_t b : g.order) {
    for (const std::uint32_t s : g.blocks[b].successors) {
      if (g.position[s] <= g.position[b] && reachable(g, 0, s)[b]) return false;
    }
  }
  return true;
}

// Whether the loop with this head (if it is one) can be left elsewhere too: then lanes may come to
// the head again by an outer loop, and those that stay in the inner one go first.
bool has_side_exit(const FlowGraph& g, std::uint32_t head) {
  Bits inside(g.blocks.size());
  inside[head] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (const std::uint32_t b : g.order) {
      if (inside[b] || g.position[b] < g.position[head]) continue;
      for (const std::uint32_t s : g.blocks[b].successors) {
        if (!inside[s] || (s == head && g.position[s] > g.position[b])) continue;
        grown = inside[b] = true;
      }
    }
  }
  for (const std::uint32_t b : g.order) {
    if (!inside[b] || b == head) continue;
    for (const std::uint32_t s : g.blocks[b].successors) {
      if (!inside[s]) return true;
    }
  }
  return false;
}

// What the engine relies on: layout properties for any graph.
void check_order(const FlowGraph& g) {
  const auto count = static_cast<std::uint32_t>(g.blocks.size());
  const Bits alive = reachable(g, 0, ptx::kNoIndex);
  REQUIRE(g.order.size() == static_cast<std::size_t>(std::count(alive.begin(), alive.end(), true)));
  REQUIRE(g.order.at(0) == 0);
  std::vector<Bits> reach;
  for (std::uint32_t b = 0; b < count; ++b) reach.push_back(reachable(g, b, ptx::kNoIndex));
  const auto in_one_loop = [&](std::uint32_t a, std::uint32_t b) {
    // A block reaches itself in `reachable` always; a loop needs both ways.
    return a == b || (reach[a][b] && reach[b][a]);
  };
  // Loops that can be entered at two places have no one place to wait for the next round.
  const bool reducible = is_reducible(g);
  for (std::uint32_t b = 0; b < count; ++b) {
    CHECK((g.position[b] != ptx::kNoIndex) == alive[b]);
    if (!alive[b]) continue;
    CHECK(g.order.at(g.position[b]) == b);
    for (const std::uint32_t s : g.blocks[b].successors) {
      if (!in_one_loop(b, s)) CHECK(g.position[b] < g.position[s]);
    }
    // Where lanes that part at b must meet: the post-dominator that every other one post-dominates.
    std::vector<std::uint32_t> all;
    for (std::uint32_t p = 0; p < count; ++p) {
      if (post_dominates(g, p, b)) all.push_back(p);
    }
    for (const std::uint32_t p : all) {
      const bool nearest = std::all_of(all.begin(), all.end(), [&](std::uint32_t q) {
        return q == p || post_dominates(g, q, p);
      });
      if (!reducible || !nearest || g.blocks[b].successors.size() < 2) continue;
      if (!has_side_exit(g, p)) CHECK(g.position[b] < g.position[p]);
    }
  }
  // Outermost loops lie together: between two blocks of one there is no other block.
  for (std::uint32_t i = 0; i < g.order.size(); ++i) {
    for (std::uint32_t j = i + 2; j < g.order.size(); ++j) {
      if (!in_one_loop(g.order[i], g.order[j]) || g.order[i] == g.order[j]) continue;
      for (std::uint32_t k = i + 1; k < j; ++k) CHECK(in_one_loop(g.order[i], g.order[k]));
    }
  }
}

TEST_CASE("code without branches is one block") {
  const auto g = graph_of("mov.u32 %r1, 1; add.u32 %r1, %r1, 1; ret;");
  CHECK(g.blocks.size() == 1);
  CHECK(g.order == std::vector<std::uint32_t>{0});
  check_order(g);
}

TEST_CASE("if and else come before what follows them, in text order") {
  const auto g = graph_of("@%p1 bra A; mov.u32 %r1, 1; bra J; A: mov.u32 %r1, 2; J: ret;");
  CHECK(g.blocks.size() == 4);
  CHECK(g.order == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(g.blocks[0].successors == std::vector<std::uint32_t>{2, 1});
  CHECK(g.blocks[2].falls_to == 3);
  CHECK(g.blocks[1].falls_to == ptx::kNoIndex);
  check_order(g);
}

TEST_CASE("what follows a loop comes after it although the text has it inside") {
  // 0 entry; 1-2 head; 3 exit in the middle of the loop's text; 5 body.
  const auto g = graph_of(
      "mov.u32 %r1, 1; HEAD: add.u32 %r1, %r1, 1; @%p1 bra BODY; mov.u32 %r2, 7; ret;"
      "BODY: mov.u32 %r3, 1; @%p2 bra HEAD; bra HEAD;");
  CHECK(place(g, 5) < place(g, 3));
  CHECK(place(g, 1) < place(g, 5));
  check_order(g);
}

TEST_CASE("blocks that nothing leads to are not laid out") {
  const auto g = graph_of("bra END; DEAD: mov.u32 %r1, 1; bra DEAD; END: ret;");
  CHECK(g.order.size() == 2);
  CHECK(g.position.at(g.block_of.at(1)) == ptx::kNoIndex);
  check_order(g);
}

TEST_CASE("every target of a branch table follows it") {
  const auto g = graph_of(
      "T: .branchtargets A, B, C, B; brx.idx %r1, T; A: bra J; B: mov.u32 %r1, 1; bra J;"
      "C: mov.u32 %r1, 2; J: ret;");
  CHECK(g.blocks[0].successors.size() == 4);
  CHECK(place(g, 4) < place(g, 5));
  check_order(g);
}

TEST_CASE("a guarded end of a function goes on to the next block, an unguarded trap does not") {
  const auto g = graph_of("@%p1 ret; @%p2 exit; @%p3 trap; trap;");
  CHECK(g.blocks[0].falls_to == 1);
  CHECK(g.blocks[1].falls_to == 2);
  CHECK(g.blocks[2].begin == 2);
  CHECK(g.blocks[2].end == 4);
  CHECK(ends(g.blocks[2]));
}

TEST_CASE("ways back from the middle of a loop lead through a latch behind its last block") {
  const std::string loop = "HEAD: mov.u32 %r1, 1; @%p1 bra OUT; @%p2 bra HEAD; mov.u32 %r2, 1; ";
  const auto one = graph_of("bra IN; IN: mov.u32 %r1, 1; @%p1 bra IN; ret;");
  CHECK(one.blocks.size() == 3);
  const auto g = graph_of(loop + "bra HEAD; OUT: ret;");
  REQUIRE(g.blocks.size() == 5);
  CHECK(g.latch[0] == 4);
  CHECK(g.blocks[4].begin == g.blocks[4].end);
  CHECK(g.blocks[4].successors == std::vector<std::uint32_t>{0});
  CHECK(g.order == std::vector<std::uint32_t>{0, 1, 2, 4, 3});
  CHECK(g.blocks[1].successors == std::vector<std::uint32_t>{4, 2});
  CHECK(g.way(2, 0) == 4);
  CHECK(g.way(1, 3) == 3);
  check_order(g);
}

TEST_CASE("an irreducible loop lies together, with its exit behind") {
  const auto g = graph_of(
      "@%p1 bra B; A: mov.u32 %r1, 1; @%p2 bra OUT; B: mov.u32 %r1, 2; @%p3 bra A; OUT: ret;");
  CHECK(place(g, 5) == g.order.size() - 1);
  check_order(g);
}

TEST_CASE("any graph: blocks come after what leads to them, loops lie together") {
  std::mt19937 random(7);
  int reducible = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t blocks = 2 + random() % (round % 2 ? 6 : 14);
    std::string body;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      const std::string to = "L" + std::to_string(random() % blocks);
      body += "L" + std::to_string(b) + ": mov.u32 %r1, " + std::to_string(b) + "; ";
      switch (random() % 6) {
        case 0:
          body += "bra " + to + ";\n";
          break;
        case 1:
          body += random() % 2 ? "@%p2 ret;\n" : "ret;\n";
          break;
        case 2:
          body += "T" + std::to_string(b) + ": .branchtargets " + to + ", L" +
                  std::to_string(random() % blocks) + "; brx.idx %r1, T" + std::to_string(b) +
                  ";\n";
          break;
        default:
          body += "@%p1 bra " + to + ";\n";
          break;
      }
    }
    INFO(body);
    const auto g = graph_of(body + "ret;");
    check_order(g);
    reducible += is_reducible(g);
  }
  CHECK(reducible > 100);
}

TEST_CASE("a loop that reads memory others write may spin, one that counts does not") {
  const auto spins = [](const std::string& inside) {
    const auto m =
        parsed(kHead +
               ".entry k(.param .u64 a) {\n.reg .b32 %r<9>; .reg .b64 %rd1; .reg .pred %p1;\n"
               "ld.param.u64 %rd1, [a];\nL: " +
               inside + " setp.eq.u32 %p1, %r1, 0; @%p1 bra L; ret;\n}\n");
    const auto& f = *m->functions.at(0);
    const auto g = analyse(f);
    return may_spin(f, g, g.block_of.at(2), g.block_of.at(1));
  };
  CHECK(spins("ld.volatile.global.u32 %r1, [%rd1];"));
  CHECK(spins("ld.acquire.gpu.global.u32 %r1, [%rd1];"));
  CHECK(spins("atom.global.cas.b32 %r1, [%rd1], 0, 1;"));
  CHECK_FALSE(spins("add.u32 %r1, %r1, 1;"));
  CHECK_FALSE(spins("ld.global.u32 %r1, [%rd1];"));
}

TEST_CASE("who leaves a loop that might never end, by what others do, does not wait for the rest") {
  const auto leaving = [](const std::string& loop) {
    const auto m =
        parsed(kHead +
               ".entry k(.param .u64 a) {\n.reg .b32 %r<9>; .reg .b64 %rd1; .reg .pred %p<9>;\n"
               "ld.param.u64 %rd1, [a]; " +
               loop + " ret;\n}\n");
    const auto& f = *m->functions.at(0);
    const auto found = find_spin_exits(f, analyse(f));
    const bool any = std::count(found.heads.begin(), found.heads.end(), true) > 0;
    std::string who;  // of the branches, in the order of the text
    for (const Leaving l : found.leaving)
      who += l == Leaving::Nobody ? "" : l == Leaving::Taken ? "T" : "O";
    CHECK(any == !who.empty());
    return who;
  };
  const std::string swap = "L: atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p1, %r1, 0;";
  CHECK(leaving(swap + "@%p1 bra L;") == "O");
  CHECK(leaving(swap + "@!%p1 bra END; add.u64 %rd1, %rd1, 4; bra L; END:") == "T");
  CHECK(leaving("L: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;") ==
        "O");
  // By way of other registers, and of a round before.
  CHECK(leaving(swap + "selp.u32 %r2, 1, 0, %p1; shfl.sync.idx.b32 %r3, %r2, 0, 31, -1; "
                       "setp.ne.u32 %p2, %r3, 0; @%p2 bra L;") == "O");
  CHECK(leaving("L: setp.ne.u32 %p1, %r1, 0; atom.global.cas.b32 %r1, [%rd1], 0, 1; @%p1 bra L;") ==
        "O");
  // It ends in any case, by a counter; or others have nothing to do with it.
  CHECK(leaving(swap +
                "@!%p1 bra END; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9; @%p2 bra L; END:")
            .empty());
  CHECK(leaving("L: atom.global.add.u32 %r1, [%rd1], 1; ld.global.u32 %r2, [%rd1]; setp.ne.u32 "
                "%p1, %r2, 0; "
                "@%p1 bra L;")
            .empty());
  CHECK(leaving("L: ld.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;").empty());
  // What others decide inside of a loop is not its end.
  CHECK(leaving(swap +
                "@%p1 bra M; add.u32 %r4, %r4, 1; M: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9; "
                "@%p2 bra L;")
            .empty());
}

TEST_CASE("volatile, relaxed and acquire loads and atomics read shared state, plain loads do not") {
  ptx::Instruction ins;
  ins.row = ptx::Row::ld;
  CHECK_FALSE(reads_shared_state(ins));
  ins.mods = {"acquire", "gpu", "global"};
  CHECK(reads_shared_state(ins));
  ins.row = ptx::Row::atom;
  CHECK(reads_shared_state(ins));
  ins.row = ptx::Row::st;
  CHECK_FALSE(reads_shared_state(ins));
}

}  // namespace
}  // namespace emu::exec::testing
