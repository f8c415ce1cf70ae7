// SPDX-License-Identifier: MIT
#include "lock_free/trace.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace lock_free {

namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

// The structure's memory is allocated before the recorder's.
std::string first_allocation(const std::string& trace) {
  static const std::regex kPlace(R"(alloc(\d+)\+\d+)");
  long lowest = -1;
  for (std::sregex_iterator it(trace.begin(), trace.end(), kPlace), end; it != end; ++it) {
    const long number = std::stol((*it)[1]);
    if (lowest < 0 || number < lowest) lowest = number;
  }
  return "alloc" + std::to_string(lowest) + "+";
}

}  // namespace

std::vector<std::string> readable(const std::string& trace, const NameOf& name_of) {
  // step, who, what, where, value; file:line, and the text of that line
  static const std::regex kStep(
      R"(^( *\d+)  (b\d+ t\S+) +(\S.*?)  +(?:(alloc\d+\+\d+) +)?(.*?) *  (\S+:\d+)  .*$)");
  const std::string mine = first_allocation(trace);
  std::vector<std::string> lines;
  std::istringstream in(trace);
  for (std::string line; std::getline(in, line);) {
    std::smatch part;
    if (line.find("history.cuh:") != std::string::npos) continue;
    if (!std::regex_match(line, part, kStep)) {
      lines.push_back(line);
      continue;
    }
    std::string where = part[4];
    if (name_of && where.rfind(mine, 0) == 0) {
      const std::string name = name_of(std::stoul(where.substr(mine.size())));
      if (!name.empty()) where = name;
    }
    lines.push_back(part[1].str() + "  " + padded(part[2], 9) + padded(part[3], 21) +
                    padded(where, 14) + padded(part[5], 27) + part[6].str());
  }
  return lines;
}

}  // namespace lock_free
