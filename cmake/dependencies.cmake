# SPDX-License-Identifier: MIT
# What the build takes from the system. Catch2 may also be downloaded; nothing else is fetched.

find_package(Threads REQUIRED)
if(WARPLADDER_CUDA_HEADERS)
  add_library(CUDA::toolkit INTERFACE IMPORTED)
  target_include_directories(CUDA::toolkit SYSTEM INTERFACE ${WARPLADDER_CUDA_HEADERS})
else()
  if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)  # CMake 3.25 fails without this library, which CUDA 13 no longer has
  endif()
  find_package(CUDAToolkit REQUIRED)
endif()

if(WARPLADDER_EMULATOR)
  # CUDA 13 compresses the PTX inside a program with zstd. The static archive is needed for libcudart_static.a only.
  find_path(ZSTD_INCLUDE_DIR zstd.h)
  find_library(ZSTD_LIBRARY zstd)
  find_library(ZSTD_STATIC_LIBRARY libzstd.a)
  mark_as_advanced(ZSTD_INCLUDE_DIR ZSTD_LIBRARY ZSTD_STATIC_LIBRARY)
  if(NOT ZSTD_INCLUDE_DIR OR NOT ZSTD_LIBRARY)
    message(FATAL_ERROR "zstd was not found. Install libzstd-dev (Debian, Ubuntu) or libzstd-devel (Fedora).")
  endif()
  add_library(warpladder_zstd INTERFACE)
  target_include_directories(warpladder_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})
  target_link_libraries(warpladder_zstd INTERFACE ${ZSTD_LIBRARY})

  # Debian 12 has version 2, newer systems version 3: tests/support/catch.hpp hides the difference. The single header of
  # version 2 is enough.
  find_package(Catch2 QUIET)
  find_path(CATCH2_INCLUDE_DIR catch2/catch.hpp)
  mark_as_advanced(CATCH2_INCLUDE_DIR)
  if(NOT TARGET Catch2::Catch2 AND CATCH2_INCLUDE_DIR)
    add_library(Catch2::Catch2 INTERFACE IMPORTED)
    target_include_directories(Catch2::Catch2 INTERFACE ${CATCH2_INCLUDE_DIR})
  elseif(NOT TARGET Catch2::Catch2)
    include(FetchContent)
    FetchContent_Declare(Catch2 GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v3.5.4 GIT_SHALLOW ON)
    FetchContent_MakeAvailable(Catch2)
  endif()
endif()
