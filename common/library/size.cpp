// SPDX-License-Identifier: MIT
#include "common/size.hpp"

#include <cmath>

namespace course {

std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr double kMost = 1099511627776.0;
  const auto number = [](std::string_view digits) -> std::optional<double> {
    if (digits.empty() || (digits[0] < '0' || digits[0] > '9')) return std::nullopt;
    std::size_t used = 0;
    double value = 0;
    try {
      value = std::stod(std::string(digits), &used);
    } catch (const std::exception&) {
      return std::nullopt;
    }
    return used == digits.size() ? std::optional(value) : std::nullopt;
  };
  struct Suffix {
    std::string_view text;
    double factor;
  };
  constexpr Suffix kSuffixes[] = {{"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0},
                                  {"k", 1e3},     {"M", 1e6},        {"G", 1e9}};
  std::optional<double> value;
  if (const auto caret = text.find('^'); caret != std::string_view::npos) {
    const auto base = number(text.substr(0, caret)), exponent = number(text.substr(caret + 1));
    if (base && exponent) value = std::pow(*base, *exponent);
  } else {
    double factor = 1;
    for (const auto& s : kSuffixes) {
      if (!text.ends_with(s.text)) continue;
      factor = s.factor;
      text.remove_suffix(s.text.size());
      break;
    }
    if (const auto plain = number(text)) value = *plain * factor;
  }
  if (!value || !(*value >= 0) || *value > kMost || *value != std::floor(*value))
    return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::string format_size(std::uint64_t n) {
  if (n >= 1024 && (n & (n - 1)) == 0) {
    int exponent = 0;
    while ((std::uint64_t{1} << exponent) != n) ++exponent;
    return "2^" + std::to_string(exponent);
  }
  return std::to_string(n);
}

}  // namespace course
