// SPDX-License-Identifier: MIT
// The lexer: characters to tokens.
#include "ptx/lexer.hpp"

#include <algorithm>

namespace emu::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_start(char c) { return is_letter(c) || c == '_' || c == '$'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string result = "'";
  for (char c : text.substr(0, kMost)) result += (c >= ' ' && c < 127) ? c : '?';
  if (text.size() > kMost) result += "...";
  return result + "'";
}

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the text";
  return shown(std::string_view(token.begin, static_cast<std::size_t>(token.end - token.begin)));
}

Lexer::Lexer(std::string_view text)
    : at_(text.data()), end_(text.data() + text.size()), last_end_(text.data()) {
  read();
}

void Lexer::fail(std::uint32_t line, const std::string& message) { throw PtxError(line, message); }

void Lexer::fail_expected(std::string_view what) const {
  // A missing semicolon is noticed at the next line but belongs to the line before.
  const auto line = ahead_.kind == Token::Kind::End ? last_line_ : ahead_.line;
  fail(what == "';'" ? last_line_ : line, std::string(what) + " expected before " + shown(ahead_));
}

Token Lexer::next() {
  const Token taken = ahead_;
  last_line_ = taken.line;
  last_end_ = taken.end;
  read();
  return taken;
}

bool Lexer::accept(char c) {
  if (!ahead_.is(c)) return false;
  next();
  return true;
}

Token Lexer::expect(char c, std::string_view where) {
  if (!ahead_.is(c)) {
    std::string what = {'\'', c, '\''};
    if (!where.empty()) what += " " + std::string(where);
    fail_expected(what);
  }
  return next();
}

std::string_view Lexer::expect_name(std::string_view what) {
  if (!ahead_.is_name()) fail_expected(what);
  return next().text;
}

void Lexer::skip_space() {
  while (at_ != end_) {
    const char c = *at_;
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && end_ - at_ > 1 && at_[1] == '/') {
      at_ = std::find(at_, end_, '\n');
    } else if (c == '/' && end_ - at_ > 1 && at_[1] == '*') {
      const auto start = line_;
      at_ += 2;
      while (end_ - at_ > 1 && !(at_[0] == '*' && at_[1] == '/')) line_ += *at_++ == '\n';
      if (end_ - at_ < 2) fail(start, "the comment is not closed");
      at_ += 2;
    } else if (c == '#') {
      at_ = std::find(at_, end_, '\n');
    } else {
      return;
    }
  }
}

void Lexer::read() {
  skip_space();
  ahead_ = Token{};
  ahead_.line = line_;
  ahead_.begin = ahead_.end = at_;
  if (at_ == end_) return;
  const char c = *at_;
  const char after = end_ - at_ > 1 ? at_[1] : '\0';
  const char* start = at_;
  if (is_name_start(c) || (c == '%' && is_name_start(after))) {
    ahead_.kind = Token::Kind::Name;
    ++at_;
    while (at_ != end_ && is_name_part(*at_)) ++at_;
    ahead_.text = {start, static_cast<std::size_t>(at_ - start)};
  } else if (c == '.' && is_name_part(after)) {
    ahead_.kind = Token::Kind::DotWord;
    ++start;
    ++at_;
    while (at_ != end_ && (is_name_part(*at_) || (*at_ == ':' && end_ - at_ > 2 && at_[1] == ':' &&
                                                  is_name_part(at_[2]))))
      at_ += *at_ == ':' ? 2 : 1;
    ahead_.text = {start, static_cast<std::size_t>(at_ - start)};
  } else if (is_digit(c)) {
    read_number();
  } else if (c == '"') {
    read_string();
  } else {
    if (c <= ' ' || c >= 127) fail(line_, "character that cannot stand in PTX");
    ahead_.kind = Token::Kind::Punct;
    ahead_.punct = c;
    ++at_;
    ahead_.text = {start, 1};
  }
  ahead_.end = at_;
}

// Takes everything that could belong to a number; the parser checks it when it evaluates it.
void Lexer::read_number() {
  const char* start = at_;
  const bool prefixed = *at_ == '0' && end_ - at_ > 1 && is_letter(at_[1]);
  while (at_ != end_) {
    const char c = *at_;
    const bool exponent_sign =
        (c == '+' || c == '-') && !prefixed && at_ != start && (at_[-1] == 'e' || at_[-1] == 'E');
    if (!(is_name_part(c) || exponent_sign || (c == '.' && !prefixed))) break;
    ++at_;
  }
  ahead_.kind = Token::Kind::Number;
  ahead_.text = {start, static_cast<std::size_t>(at_ - start)};
}

void Lexer::read_string() {
  const auto start_line = line_;
  const char* start = ++at_;
  while (at_ != end_ && *at_ != '"') {
    if (*at_ == '\\' && end_ - at_ > 1) ++at_;
    line_ += *at_++ == '\n';
  }
  if (at_ == end_) fail(start_line, "the string is not closed");
  ahead_.kind = Token::Kind::String;
  ahead_.text = {start, static_cast<std::size_t>(at_ - start)};
  ++at_;
}

void Lexer::skip_block() {
  // The lookahead was read already: go back to the end of the last token.
  const auto start = last_line_;
  at_ = last_end_;
  line_ = last_line_;
  int depth = 1;
  while (depth > 0) {
    skip_space();
    if (at_ == end_) fail(start, "the block is not closed");
    const char c = *at_;
    if (c == '"') {
      read_string();
      continue;
    }
    depth += (c == '{') - (c == '}');
    ++at_;
  }
  last_line_ = line_;
  last_end_ = at_;
  read();
}

void Lexer::skip_line() {
  at_ = std::find(last_end_, end_, '\n');
  line_ = last_line_;
  read();
}

}  // namespace emu::ptx
