// SPDX-License-Identifier: MIT
// PTX text as a stream of tokens, with one token of lookahead. Comments and preprocessor lines are
// skipped, lines are counted. Throws PtxError for what cannot be a token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/ptx_error.hpp"

namespace emu::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    End,
    Name,     // add, %r1, $L__BB0_1, _
    DotWord,  // .global, .L1::no_allocate; text has no dot
    Number,   // not yet evaluated
    String,   // text is what stands between the quotes
    Punct,    // one character
  };
  Kind kind = Kind::End;
  char punct = 0;
  std::uint32_t line = 1;
  std::string_view text;
  const char* begin = nullptr;  // first character, dot and quote included
  const char* end = nullptr;    // one past the last

  bool is(char c) const { return kind == Kind::Punct && punct == c; }
  bool is_word(std::string_view word) const { return kind == Kind::DotWord && text == word; }
  bool is_name() const { return kind == Kind::Name; }
};

class Lexer {
 public:
  // `text` must outlive the lexer.
  explicit Lexer(std::string_view text);

  const Token& peek() const { return ahead_; }
  Token next();
  // Takes the next token if it is this character.
  bool accept(char c);
  // The same, but PtxError if it is not.
  Token expect(char c, std::string_view where);
  std::string_view expect_name(std::string_view what);

  // Skips to the brace that closes the one already taken, without looking at tokens.
  void skip_block();
  // Drops what is left of the line of the token taken last.
  void skip_line();

  // Line of the token taken last: where an error is to be reported if something is missing.
  std::uint32_t last_line() const { return last_line_; }

  [[noreturn]] static void fail(std::uint32_t line, const std::string& message);
  // "';' expected before 'x'" at the right line.
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  void read();
  void skip_space();
  void read_number();
  void read_string();

  const char* at_;
  const char* end_;
  std::uint32_t line_ = 1;
  std::uint32_t last_line_ = 1;
  const char* last_end_;
  Token ahead_;
};

// A token as it may stand in a message: quoted, cut if long.
std::string shown(const Token& token);
std::string shown(std::string_view text);

}  // namespace emu::ptx
