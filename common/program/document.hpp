// SPDX-License-Identifier: MIT
// The file that a program writes with --json. What stands in it is made by to_json of report.hpp and
// experiment.cuh.
#pragma once

#include <string>

namespace course {

inline constexpr int kSchemaVersion = 1;

// False if the file cannot be written. What is in it stays.
bool can_write(const std::string& path);

// False if the file could not be written whole.
bool write_document(const std::string& text, const std::string& path);

}  // namespace course
