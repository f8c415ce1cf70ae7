# SPDX-License-Identifier: MIT
# Toolchain: arm64 from x86-64 (or any other machine).
set(WARPLADDER_CROSS_ARCH aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
