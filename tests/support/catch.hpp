// SPDX-License-Identifier: MIT
// Catch2 under one name: version 3 where the system has it, else version 2 (Debian 12). Tests
// include this header only, and use what both versions have; Approx is in scope under both.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
