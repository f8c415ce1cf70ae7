# SPDX-License-Identifier: MIT
# C++20 for host and device code, compiler cache, output folders.

# CMake 3.25 knows no C++20 flag for nvcc and would drop the standard without a word.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
foreach(language CXX CUDA)
  set(CMAKE_${language}_STANDARD 20)
  set(CMAKE_${language}_STANDARD_REQUIRED ON)
  set(CMAKE_${language}_EXTENSIONS OFF)
endforeach()

# Source lines in the PTX: the emulator's errors name them, and so do the GPU tools.
add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)

# How far the host's compiler optimises a program's host part, which prepares and launches; nvcc's -O says nothing about kernels.
# On the emulator nobody measures it, and it is compiled more often than it runs.
if(WARPLADDER_RUNS_ON STREQUAL "emulator")
  set(WARPLADDER_CUDA_FLAGS_RELEASE "-O0 -DNDEBUG")
else()
  set(WARPLADDER_CUDA_FLAGS_RELEASE "-O1 -DNDEBUG")
endif()

# Decided when the build folder is made. A ccache that is installed later would change every command, and everything that is
# there already would be compiled again.
if(NOT DEFINED WARPLADDER_CCACHE)
  find_program(CCACHE ccache)
  mark_as_advanced(CCACHE)
  set(WARPLADDER_CCACHE "${CCACHE}" CACHE FILEPATH "The compiler cache that is used; empty: none")
endif()
if(EXISTS "${WARPLADDER_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WARPLADDER_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${WARPLADDER_CCACHE})
endif()

set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
