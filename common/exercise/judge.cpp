// SPDX-License-Identifier: MIT
// What all judges have in common. It is compiled once, and each judge is linked with it.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace course::exercise {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

void Cases::add(std::size_t n, std::uint64_t seed) { add_as(id_of(n), n, seed); }

void Cases::add_as(const std::string& id, std::size_t n, std::uint64_t seed) {
  if (known(id)) throw std::runtime_error("two cases are called " + id);
  all_.push_back({id, !hidden_, n, seed, make_(n, seed)});
}

// First the size is drawn, then the seed: as arguments of one call their order would be the
// compiler's choice.
void Cases::add_random(Random& random, std::size_t low, std::size_t high, std::size_t unit) {
  const std::size_t n = unit * random.size(low, high);
  add(n, random.seed());
}

bool Cases::known(const std::string& id) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Case& c) { return c.id == id; });
}

std::string Cases::id_of(std::size_t n) {
  const std::string plain = "n" + std::to_string(n);
  if (hidden_) return "hidden" + std::to_string(++hidden_count_) + "_" + plain;
  std::string id = plain;
  for (int k = 2; known(id); ++k) id = plain + "_" + std::to_string(k);
  return id;
}

std::string text_of_real(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string count_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string the_last(std::size_t count, const std::string& one, const std::string& many) {
  return count == 1 ? "the last one " + one : "the last " + std::to_string(count) + " " + many;
}

void Judgement::fail(const std::string& kind, const std::string& message) {
  if (!ok()) return;
  kind_ = kind;
  message_ = message;
}

void Judgement::because(const std::string& kind, const std::string& message) {
  explained_ = true;
  kind_ = kind;
  message_ = message;
}

bool Judgement::comparable(bool is_there, const std::string& name) {
  if (ok() && !is_there) fail("missing", "the output '" + name + "' is not there");
  return ok();
}

bool Judgement::same_size(const std::string& name, std::size_t actual, std::size_t expected) {
  if (actual != expected)
    fail("wrong_value",
         "'" + name + "' has " + count_of(actual, "element") + ", not " + std::to_string(expected));
  return actual == expected;
}

bool Judgement::all_same() {
  if (wrong_ > 0) fail("wrong_value", first_.untouched ? "nobody wrote this element" : "");
  return wrong_ == 0;
}

void Judgement::write(std::ostream& out, const Case& c) const {
  out << "{\"id\": " << quoted(c.id) << ", \"visible\": " << (c.visible ? "true" : "false")
      << ", \"ok\": " << (ok() ? "true" : "false") << ", \"kind\": " << quoted(kind_)
      << ", \"message\": " << quoted(message_) << ", \"n\": " << c.n << ", \"seed\": " << c.seed;
  if (wrong_ > 0) {
    out << ", \"array\": " << quoted(first_.array) << ", \"size\": " << first_.size
        << ", \"wrong\": " << wrong_ << ", \"index\": " << first_.index
        << ", \"expected\": " << quoted(first_.expected)
        << ", \"actual\": " << quoted(first_.actual)
        << ", \"untouched\": " << (first_.untouched ? "true" : "false");
  }
  out << "}";
}

void detail::find_lost_tail(const std::vector<Case>& cases, std::vector<Judgement>& results,
                            std::size_t multiple) {
  if (multiple < 2) return;
  bool whole_seen = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool whole = cases[i].n % multiple == 0;
    if (whole && !results[i].ok()) return;
    whole_seen |= whole && cases[i].n > 0;
    // What the author's judge explained otherwise is something else.
    const bool open = results[i].kind() == "wrong_value" && !results[i].explained();
    if (!results[i].ok() && !open && results[i].kind() != "lost_tail") return;
  }
  if (!whole_seen) return;
  for (Judgement& result : results)
    if (!result.ok() && result.kind() == "wrong_value")
      result.because("lost_tail", "every n that is a multiple of " + std::to_string(multiple) +
                                      " is right, others are not");
}

namespace {

int make_cases(const Judge& judge, const fs::path& folder, const std::string& hidden,
               const std::string& size) {
  Cases cases(judge.input);
  if (!size.empty())
    cases.add_as("performance", std::stoull(size), 1);
  else
    judge.visible(cases);
  if (!hidden.empty()) {
    cases.now_hidden();
    std::string seed = hidden;
    if (seed == "-") std::getline(std::cin, seed);  // a command line is seen by everybody
    Random random(std::stoull(seed));
    judge.hidden(cases, random);
  }
  fs::create_directories(folder / "inputs");
  std::ofstream list(folder / "cases.txt");
  for (const Case& c : cases.all()) {
    list << c.id << ' ' << c.visible << ' ' << c.n << ' ' << c.seed << '\n';
    c.in.save(folder / "inputs" / (c.id + ".in"));
  }
  return list.flush() ? 0 : 1;
}

Judgement judge_one(const Judge& judge, const Case& c, const fs::path& file) {
  Judgement result;
  if (!fs::is_regular_file(fs::symlink_status(file))) {
    result.fail("missing", "the program ended before it wrote this result");
    return result;
  }
  try {
    const Arrays out = Arrays::load(file);
    for (const std::string& name : out.names())
      if (name.rfind("damage.", 0) == 0)
        result.fail("out_of_bounds", "memory beside the array '" + name.substr(7) +
                                         "' was written: an index is out of bounds");
    judge.judge(c, out, result);
  } catch (const std::exception& error) {
    result.fail("missing", error.what());
  }
  return result;
}

int give_verdicts(const Judge& judge, const fs::path& folder, const fs::path& outputs) {
  std::ifstream list(folder / "cases.txt");
  std::vector<Case> cases;
  std::vector<Judgement> results;
  for (Case c; list >> c.id >> c.visible >> c.n >> c.seed;) {
    c.in = Arrays::load(folder / "inputs" / (c.id + ".in"));
    cases.push_back(c);
    results.push_back(judge_one(judge, c, outputs / (c.id + ".out")));
  }
  detail::find_lost_tail(cases, results, judge.multiple);
  std::cout << "{\"cases\": [";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::cout << (i ? ",\n  " : "\n  ");
    results[i].write(std::cout, cases[i]);
  }
  std::cout << "\n]}\n";
  return cases.empty() ? 1 : 0;
}

}  // namespace

int judge_main(int argc, char** argv, const Judge& judge) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto value = [&](const std::string& name) -> std::string {
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
      if (words[i] == name) return words[i + 1];
    return "";
  };
  try {
    if (!words.empty() && words[0] == "cases" && !value("--out").empty())
      return make_cases(judge, value("--out"), value("--hidden"), value("--size"));
    if (!words.empty() && words[0] == "verdicts" && !value("--cases").empty())
      return give_verdicts(judge, value("--cases"), value("--outputs"));
  } catch (const std::exception& error) {
    std::cerr << "judge: " << error.what() << '\n';
    return 1;
  }
  std::cerr << "usage: judge cases --out DIR [--hidden SEED|-] [--size N]\n"
               "       judge verdicts --cases DIR --outputs DIR\n";
  return 2;
}

}  // namespace course::exercise
