// SPDX-License-Identifier: MIT
// Findings for other programs: JSON (scripts/schemas/findings.schema.json), and SARIF 2.1.0, which GitHub shows beside the code.
#pragma once

#include <string>
#include <vector>

#include "check/findings.hpp"

namespace emu::check {

std::string to_json(const std::vector<Finding>& findings);
std::string to_sarif(const std::vector<Finding>& findings);

}  // namespace emu::check
