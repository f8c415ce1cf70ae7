# SPDX-License-Identifier: MIT
# What the toolchain files for the other architecture share: Debian's cross compiler, and qemu-user to run what it built.
# WARPLADDER_CROSS_ARCH is set by the file that includes this one (cross_x86_64.cmake, cross_aarch64.cmake).
#
#   cmake -S . -B build/cross_x86_64 -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/cross_x86_64.cmake -DWARPLADDER_PROGRAMS=OFF
#         -DWARPLADDER_CUDA_HEADERS=/usr/local/cuda/include -DZSTD_LIBRARY=<libzstd.a of that architecture>
#
# tests/support/cross.py does this, and fetches the libzstd.a; CROSS_CXX chooses another compiler (`g++-11`, a clang with --target).

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${WARPLADDER_CROSS_ARCH})
set(triplet ${WARPLADDER_CROSS_ARCH}-linux-gnu)

if(NOT CMAKE_CXX_COMPILER)
  if(DEFINED ENV{CROSS_CXX})
    set(CMAKE_CXX_COMPILER $ENV{CROSS_CXX})
  else()
    set(CMAKE_CXX_COMPILER ${triplet}-g++)
  endif()
endif()
# Used for compilers that serve several targets (clang) only.
set(CMAKE_CXX_COMPILER_TARGET ${triplet})

# The libraries of the other architecture lie in this folder; headers that do not depend on it (Catch2, zstd.h) are the machine's own.
set(CMAKE_FIND_ROOT_PATH /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)

# All that qemu can do: AVX2 of x86-64 (no AVX-512), SVE of arm64. qemu 7 keeps 16 bytes for each page that a program reserves, and the
# emulator reserves 4 TiB: under a limit it takes less.
find_program(QEMU NAMES qemu-${WARPLADDER_CROSS_ARCH}-static qemu-${WARPLADDER_CROSS_ARCH})
find_program(PRLIMIT prlimit)
mark_as_advanced(QEMU PRLIMIT)
if(QEMU AND PRLIMIT)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${PRLIMIT};--as=40000000000;${QEMU};-cpu;max;-L;/usr/${triplet})
endif()
