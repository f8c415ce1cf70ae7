// SPDX-License-Identifier: MIT
// Lookup of scoped names, inner scopes first.
#include "ptx/scope.hpp"

#include <utility>

namespace emu::ptx {

void Scopes::clear() {
  open_.clear();
  used.clear();
  free_params.clear();
}

Scope Scopes::close() {
  Scope closed = std::move(open_.back());
  open_.pop_back();
  return closed;
}

bool Scopes::declare(std::string_view name, ScopedName what) {
  return inner().names.emplace(name, what).second;
}

namespace {

// "%r12" is in a range called "%r" or "%r1". Leading zeros name nothing.
std::uint32_t in_range(const Scope& scope, std::string_view name) {
  std::uint64_t number = 0, place = 1;
  for (std::size_t digits = 1; digits <= 9 && digits < name.size(); ++digits) {
    const char c = name[name.size() - digits];
    if (c < '0' || c > '9') break;
    number += static_cast<std::uint64_t>(c - '0') * place;
    place *= 10;
    if (c == '0' && digits > 1) continue;
    const auto found = scope.names.find(name.substr(0, name.size() - digits));
    if (found != scope.names.end() && found->second.kind == ScopedName::Kind::Range &&
        number < found->second.count)
      return found->second.index + static_cast<std::uint32_t>(number);
  }
  return kNoIndex;
}

}  // namespace

std::optional<ScopedName> Scopes::find(std::string_view name) const {
  for (auto scope = open_.rbegin(); scope != open_.rend(); ++scope) {
    if (scope->names.empty()) continue;
    const auto found = scope->names.find(name);
    if (found != scope->names.end() && found->second.kind != ScopedName::Kind::Range)
      return found->second;
    if (const auto index = in_range(*scope, name); index != kNoIndex)
      return ScopedName{ScopedName::Kind::Register, index, 1, {}};
  }
  return std::nullopt;
}

}  // namespace emu::ptx
