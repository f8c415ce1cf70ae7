// SPDX-License-Identifier: MIT
#include "check/findings_file.hpp"

#include <cstdio>
#include <set>

#include "machine/json_file.hpp"

namespace emu::check {

using observe::quoted;

namespace {

std::string field(std::string_view name, std::string_view value) {
  return quoted(name) + ": " + quoted(value);
}

template <class T, class F>
std::string list(const T& items, std::string_view indent, F&& one) {
  std::string out = "[";
  for (const auto& item : items) {
    out += (out.size() > 1 ? ",\n" : "\n") + std::string(indent) + one(item);
  }
  return out + "]";
}

std::string access_json(const Party& p) {
  return "{" + field("who", p.who) + ", " + field("does", p.does) + ", " + field("where", p.where) +
         ", " + field("file", p.file) + ", \"line\": " + std::to_string(p.line) + "}";
}

std::string finding_json(const Finding& f) {
  return "{" + field("check", name_of(f.check)) + ", " + field("id", f.id) + ", " +
         field("severity", f.remark ? "remark" : "error") +
         ", \"count\": " + std::to_string(f.count) + ",\n     " + field("title", f.title) + ", " +
         field("kernel", f.kernel) + ", " + field("what", f.what) + ",\n     " +
         field("why", f.why) + ", " + field("cure", f.cure) +
         ",\n     \"accesses\": " + list(f.parties, "       ", access_json) + "}";
}

// A path in a file:-less form: SARIF wants a URI, and sources may lie anywhere.
std::string uri(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = std::string_view("-._~/").find(c) != std::string_view::npos ||
                       (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += plain ? std::string(1, c) : code;
  }
  return out.starts_with('/') ? "file://" + out : out;
}

std::string location(const Party& p) {
  if (p.line == 0) {
    return "{\"message\": {" + field("text", p.who + " " + p.does) + "}}";
  }
  return "{\"physicalLocation\": {\"artifactLocation\": {" + field("uri", uri(p.file)) +
         "}, \"region\": {\"startLine\": " + std::to_string(p.line) + "}}, \"message\": {" +
         field("text", p.who + " " + p.does) + "}}";
}

std::string result_sarif(const Finding& f) {
  std::string text = f.title + (f.kernel.empty() ? "" : " in " + f.kernel) + ": " + f.what + ".";
  for (const Party& p : f.parties) text += " " + p.who + " " + p.does + " at " + p.where + ".";
  if (!f.why.empty()) text += " Why: " + f.why + ".";
  if (!f.cure.empty()) text += " Cure: " + f.cure + ".";
  std::vector<Party> placed;
  for (const Party& p : f.parties) {
    if (p.line) placed.push_back(p);
  }
  const std::vector<Party> last(placed.empty() ? placed.end() : placed.end() - 1, placed.end());
  return "{" + field("ruleId", f.id) + ", " + field("level", f.remark ? "note" : "error") +
         ", \"message\": {" + field("text", text) +
         "},\n         \"locations\": " + list(last, "           ", location) +
         ",\n         \"relatedLocations\": " + list(placed, "           ", location) + "}";
}

}  // namespace

std::string to_json(const std::vector<Finding>& findings) {
  return "{\n  \"schema\": \"warpladder-findings/1\",\n  \"findings\": " +
         list(findings, "    ", finding_json) + "\n}\n";
}

std::string to_sarif(const std::vector<Finding>& findings) {
  std::set<std::string> ids;
  for (const Finding& f : findings) ids.insert(f.id);
  return "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
         "  \"version\": \"2.1.0\",\n  \"runs\": [{\n    \"tool\": {\"driver\": {"
         "\"name\": \"Warp Ladder\", \"rules\": " +
         list(ids, "      ", [](const std::string& id) { return "{" + field("id", id) + "}"; }) +
         "}},\n    \"results\": " + list(findings, "        ", result_sarif) + "\n  }]\n}\n";
}

}  // namespace emu::check
