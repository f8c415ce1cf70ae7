# SPDX-License-Identifier: MIT
# The settings of the build. Included before project(), because the choice of backend fixes the CUDA architectures.

option(WARPLADDER_EMULATOR "Build the emulator and its unit tests" ON)
option(WARPLADDER_PROGRAMS "Build the CUDA programs under tests/programs" ON)
option(WARPLADDER_WERROR "Treat warnings as errors" OFF)
set(WARPLADDER_BACKEND "auto" CACHE STRING "What CUDA programs run on: auto, emulator or gpu")
set_property(CACHE WARPLADDER_BACKEND PROPERTY STRINGS auto emulator gpu)
set(WARPLADDER_SANITIZE "" CACHE STRING "Sanitizers for the emulator and its unit tests, e.g. address,undefined")

# A cross build (cmake/cross_*.cmake) has no nvcc for its target and needs none: the emulator and its unit tests are plain C++.
set(WARPLADDER_CUDA_HEADERS "" CACHE PATH "Include folder of a CUDA toolkit, for a build without nvcc; needs WARPLADDER_PROGRAMS=OFF")
set(WARPLADDER_LANGUAGES CXX CUDA)
if(WARPLADDER_CUDA_HEADERS)
  if(WARPLADDER_PROGRAMS)
    message(FATAL_ERROR "WARPLADDER_CUDA_HEADERS is for a build without nvcc, which cannot build programs: set WARPLADDER_PROGRAMS=OFF")
  endif()
  if(NOT EXISTS "${WARPLADDER_CUDA_HEADERS}/cuda_runtime_api.h")
    message(FATAL_ERROR "WARPLADDER_CUDA_HEADERS is '${WARPLADDER_CUDA_HEADERS}', which holds no cuda_runtime_api.h")
  endif()
  set(WARPLADDER_LANGUAGES CXX)
endif()

# Speed only: -ffp-contract=off keeps the results the same on every machine. Turn it off for a library that is to be copied
# to an older CPU.
if(CMAKE_TOOLCHAIN_FILE OR CMAKE_CROSSCOMPILING)
  set(native_default OFF)
else()
  set(native_default ON)
endif()
option(WARPLADDER_NATIVE "Compile the emulator's engine for this machine's CPU" ${native_default})
set(WARPLADDER_MARCH "" CACHE STRING "Compile the emulator's engine for this CPU (-march=...) instead")

# Which nvcc and which GPU: scripts/probe.py decides, for CMake and for ./course alike.
find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/../scripts/probe.py
                OUTPUT_VARIABLE probed COMMAND_ERROR_IS_FATAL ANY)
foreach(key nvcc no_nvcc gpu_capability gpu_problem)
  string(REGEX MATCH "(^|\n)${key}=([^\n]*)" line "${probed}")
  set(probed_${key} "${CMAKE_MATCH_2}")
endforeach()

# The compute capability of the first GPU ("90"), or empty where there is none that CUDA 13 can use.
set(WARPLADDER_GPU_CC "${probed_gpu_capability}")
if(probed_gpu_problem)
  message(STATUS "${probed_gpu_problem}")
endif()

set(WARPLADDER_RUNS_ON "${WARPLADDER_BACKEND}")
if(WARPLADDER_BACKEND STREQUAL "auto")
  if(WARPLADDER_GPU_CC)
    set(WARPLADDER_RUNS_ON "gpu")
  else()
    set(WARPLADDER_RUNS_ON "emulator")
  endif()
elseif(NOT WARPLADDER_BACKEND MATCHES "^(emulator|gpu)$")
  message(FATAL_ERROR "WARPLADDER_BACKEND is '${WARPLADDER_BACKEND}'; allowed: auto, emulator, gpu")
endif()
message(STATUS "CUDA programs run on: ${WARPLADDER_RUNS_ON}")

# The emulator reads PTX and needs no machine code. A GPU gets its own code, plus PTX so that the same file also runs on the
# emulator.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  if(WARPLADDER_RUNS_ON STREQUAL "emulator")
    set(CMAKE_CUDA_ARCHITECTURES "90-virtual")
  elseif(NOT WARPLADDER_GPU_CC)
    set(CMAKE_CUDA_ARCHITECTURES "90")
  elseif(WARPLADDER_GPU_CC GREATER 90)
    set(CMAKE_CUDA_ARCHITECTURES "${WARPLADDER_GPU_CC}-real;90-virtual")
  else()
    set(CMAKE_CUDA_ARCHITECTURES "${WARPLADDER_GPU_CC}")
  endif()
endif()

# Always the shared CUDA runtime: the emulator stands in for it.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)

if("CUDA" IN_LIST WARPLADDER_LANGUAGES AND NOT CMAKE_CUDA_COMPILER)
  if(NOT probed_nvcc)
    message(FATAL_ERROR "${probed_no_nvcc}. `./course setup` fetches one; so does the CUDA toolkit 13 "
                        "(https://developer.nvidia.com/cuda-downloads).")
  endif()
  set(CMAKE_CUDA_COMPILER "${probed_nvcc}")
endif()

# Libraries that came from the package index, because apt could not be used (scripts/warpladder/setup/recipes.py).
file(GLOB fetched_libraries ${CMAKE_CURRENT_LIST_DIR}/../.toolkit/libraries/*)
list(APPEND CMAKE_PREFIX_PATH ${fetched_libraries})
