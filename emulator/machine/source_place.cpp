// SPDX-License-Identifier: MIT
#include "machine/source_place.hpp"

namespace emu::exec {
namespace {

std::string short_name(const ptx::Module& module, std::uint32_t file) {
  const auto it = module.files.find(file);
  if (it == module.files.end()) return "";
  const auto slash = it->second.find_last_of('/');
  return slash == std::string::npos ? it->second : it->second.substr(slash + 1);
}

// Whether a position lies in NVIDIA's headers rather than in the user's program.
bool in_toolkit(const ptx::Module& module, const ptx::SourceLoc& loc) {
  const auto it = module.files.find(loc.file);
  return it != module.files.end() && (it->second.find("/include/") != std::string::npos) &&
         (it->second.find("cuda") != std::string::npos);
}

// Where an instruction comes from, innermost first. The first position in the user's own file
// leads (`user`); what was inlined from headers is named after it.
struct Chain {
  std::vector<const ptx::SourceLoc*> locs;
  std::size_t user = 0;
};
Chain chain_of(const Code& code, const ptx::Instruction& ins) {
  Chain chain;
  const auto& locs = code.function->locs;
  if (ins.loc >= locs.size() || locs[ins.loc].line == 0) return chain;
  const ptx::SourceLoc* loc = &locs[ins.loc];
  for (int depth = 0; loc && depth < 64; ++depth) {
    chain.locs.push_back(loc);
    loc = loc->inlined_at < locs.size() ? &locs[loc->inlined_at] : nullptr;
  }
  while (chain.user + 1 < chain.locs.size() && in_toolkit(*code.module, *chain.locs[chain.user]))
    ++chain.user;
  return chain;
}

}  // namespace

// PTX as one line: a call is written over several.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == ')' && line.ends_with(' ')) line.pop_back();
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ' && line.back() != '(') {
      line += ' ';
    }
  }
  return line;
}

std::string lane_list(LaneMask mask) {
  std::string text;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < kLanes && (mask >> (last + 1) & 1)) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(lane);
    if (last > lane) text += "-" + std::to_string(last);
    lane = last;
  }
  return text.empty() ? "none" : text;
}

SourceLine line_of(const Code& code, const ptx::Instruction& ins) {
  const Chain chain = chain_of(code, ins);
  if (chain.locs.empty()) return {};
  const ptx::SourceLoc& loc = *chain.locs[chain.user];
  const auto it = code.module->files.find(loc.file);
  return {it == code.module->files.end() ? std::string_view{} : it->second, loc.line};
}

SourcePlace place_of(const Code& code, const ptx::Instruction& ins) {
  SourcePlace place;
  const auto text = [&](const ptx::SourceLoc& loc) {
    return short_name(*code.module, loc.file) + ":" + std::to_string(loc.line);
  };
  const auto [chain, user] = chain_of(code, ins);
  if (chain.empty()) return place;
  place.where = text(*chain[user]);
  if (user > 0) place.inlined.push_back("which inlines " + text(*chain[0]));
  for (std::size_t i = user + 1; i < chain.size(); ++i) {
    place.inlined.push_back("inlined at " + text(*chain[i]));
  }
  return place;
}

std::string place_lines(const Code& code, const ptx::Instruction& ins) {
  const SourcePlace place = place_of(code, ins);
  std::string text = "  at      ";
  if (!place.where.empty()) {
    text += place.where;
  } else {
    text += "PTX line " + std::to_string(ins.text_line) +
            (code.module->files.empty() ? " (compile with -lineinfo to see the source line)"
                                        : " (the compiler gave it no source line)");
  }
  for (const auto& line : place.inlined) text += "\n          " + line;
  return text + "\n";
}

}  // namespace emu::exec
