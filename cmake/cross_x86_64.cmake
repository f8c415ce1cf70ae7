# SPDX-License-Identifier: MIT
# Toolchain: x86-64 from arm64 (or any other machine).
set(WARPLADDER_CROSS_ARCH x86_64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
