// SPDX-License-Identifier: MIT
#include "check/findings.hpp"

#include <algorithm>

namespace emu::check {

std::string_view name_of(Check check) {
  switch (check) {
    case Check::Race:
      return "race";
    case Check::Init:
      return "init";
    case Check::Sync:
      return "sync";
    case Check::Api:
      return "api";
    case Check::Leak:
      return "leak";
  }
  return "";
}

std::string Finding::text() const {
  std::string out = title + (kernel.empty() ? "" : " in " + kernel) + "\n";
  const auto line = [&](std::string_view head, const std::string& body) {
    if (!body.empty())
      out += "  " + std::string(head) + std::string(8 - head.size(), ' ') + body + "\n";
  };
  line("what", what);
  for (std::size_t i = 0; i < parties.size(); ++i) {
    const Party& p = parties[i];
    const std::string_view head = parties.size() == 1 ? "who" : i == 0 ? "first" : "then";
    line(head, p.who + " " + p.does + (p.where.empty() ? "" : " at " + p.where));
    for (const auto& caller : p.inlined) line("", caller);
  }
  line("why", why);
  line(remark ? "hint" : "cure", cure);
  return out;
}

std::size_t Findings::add(Finding finding, Tell tell) {
  std::string key = finding.id + "|" + finding.kernel;
  for (const Party& p : finding.parties) key += "|" + p.file + "|" + p.where;
  if (finding.parties.empty()) key += "|" + finding.what;
  const auto [it, fresh] = known_.try_emplace(std::move(key), all_.size());
  if (!fresh) {
    Finding& known = all_[it->second];
    finding.count = known.count + 1;
    if (finding.reach <= known.reach) {
      known.count = finding.count;
      return it->second;
    }
    known = std::move(finding);
    if (std::ranges::find(waiting_, it->second) == waiting_.end()) waiting_.push_back(it->second);
    return it->second;
  }
  if (tell == Tell::Later) waiting_.push_back(all_.size());
  if (tell == Tell::Now && say_) say_(finding.text());
  all_.push_back(std::move(finding));
  return all_.size() - 1;
}

void Findings::say_waiting() {
  for (const std::size_t number : waiting_)
    if (say_) say_(all_[number].text());
  waiting_.clear();
}

std::uint64_t Findings::errors() const {
  std::uint64_t n = 0;
  for (const Finding& f : all_) n += !f.remark;
  return n;
}

std::string Findings::summary() const {
  if (all_.empty()) return "";
  std::uint64_t times = 0, remarks = 0;
  for (const Finding& f : all_) times += f.count, remarks += f.remark;
  const std::uint64_t n = errors();
  std::string text = std::to_string(n) + (n == 1 ? " error" : " errors");
  if (remarks) text += ", " + std::to_string(remarks) + (remarks == 1 ? " remark" : " remarks");
  return text + " found by the checks; what they name happened " + std::to_string(times) +
         (times == 1 ? " time" : " times");
}

}  // namespace emu::check
