# SPDX-License-Identifier: MIT
# Unit tests (one Catch2 executable per folder) and the test that every header compiles alone.

include(CTest)

# Tests are compiled more often than they run: what they test is optimised, they need not be.
set(test_options $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O0>)

# Catch2 takes longer to read than most tests to compile. Where no ccache keeps what was compiled, it is read once for all.
if(TARGET Catch2::Catch2 AND NOT CCACHE AND NOT WARPLADDER_SANITIZE)
  file(CONFIGURE OUTPUT test_headers.cpp CONTENT "")
  add_library(test_headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp)
  target_link_libraries(test_headers PRIVATE Catch2::Catch2 warpladder::warnings)
  target_compile_options(test_headers PRIVATE ${test_options})
  target_precompile_headers(test_headers PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/catch.hpp)
endif()

# warpladder_add_unit_test(name SOURCES ... LIBRARIES ... LABELS ... [HEADERS target] [TOGETHER] [FILES ...]): one executable test_<name>; each
# <file>.test.cpp or .cu is the CTest test "unit.<name>.<file>" (Catch2 selects by file with -#, so that a case may have any
# name). TOGETHER: all files are one test, unit.<name>, and run in their order here. HEADERS: the
# precompiled headers to use instead of test_headers. FILES: the tests' own files, where the sources only include them.
function(warpladder_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TOGETHER" "HEADERS" "SOURCES;LIBRARIES;LABELS;FILES")
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${arg_LIBRARIES} catch_main warpladder::warnings)
  set(limit 300)
  set(without "")
  if(CMAKE_CROSSCOMPILING)  # under qemu
    set(limit 1800)
    set(without "~[vast]")
  endif()
  target_compile_options(test_${name} PRIVATE ${test_options})
  if(NOT arg_HEADERS)
    set(arg_HEADERS test_headers)
  endif()
  if(TARGET ${arg_HEADERS})
    target_precompile_headers(test_${name} REUSE_FROM ${arg_HEADERS})
  endif()
  if(arg_TOGETHER)
    add_test(NAME unit.${name} COMMAND test_${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
    set_tests_properties(unit.${name} PROPERTIES LABELS "unit;${arg_LABELS}" TIMEOUT 1800)
    return()
  endif()
  if(NOT arg_FILES)
    set(arg_FILES ${arg_SOURCES})
  endif()
  foreach(source IN LISTS arg_FILES)
    get_filename_component(file ${source} NAME)
    string(REGEX REPLACE "\\.(cpp|cu)$" "" tag ${file})
    string(REGEX REPLACE "\\.test$" "" case ${tag})
    # Run where the compiler ran: tests find their data by __FILE__, which ccache may have made relative (base_dir).
    add_test(NAME unit.${name}.${case} COMMAND test_${name} "-#" "[#${tag}]${without}" WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
    set_tests_properties(unit.${name}.${case} PROPERTIES LABELS "unit;${arg_LABELS}" TIMEOUT ${limit})
  endforeach()
endfunction()

# warpladder_add_header_test(name [LANGUAGE CUDA] ROOT dir HEADERS ... LIBRARIES ...): one generated file per header that includes
# nothing else; the test "headers.<name>" compiles them all, in the long suite. Alone each takes a second or two, nearly all of it
# for the standard library. They are not part of `all`: only the test builds them.
function(warpladder_add_header_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT;LANGUAGE" "HEADERS;LIBRARIES")
  if(NOT arg_HEADERS)
    return()
  endif()
  warpladder_compile_headers(headers_${name} "${arg_ROOT}" "${arg_LANGUAGE}" "${arg_LIBRARIES}" ${arg_HEADERS})
  add_test(NAME headers.${name} COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target headers_${name}
           CONFIGURATIONS Long)
  # One at a time: each starts a build in the same folder.
  set_tests_properties(headers.${name} PROPERTIES LABELS style TIMEOUT 900 RESOURCE_LOCK build_folder)
endfunction()

function(warpladder_compile_headers target root language libraries)
  set(suffix cpp)
  if(language STREQUAL "CUDA")
    set(suffix cu)
  endif()
  set(sources "")
  foreach(header IN LISTS ARGN)
    file(RELATIVE_PATH relative "${root}" "${header}")
    string(REPLACE "/" "_" stem "${relative}")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.${suffix}")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${relative}\"\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${target} PRIVATE ${libraries})
  if(suffix STREQUAL "cu")
    # nvcc has no -fsyntax-only; PTX for one architecture is its quickest pass over the whole file.
    set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES 90-virtual)
  else()
    # An object is made, though nobody wants it: with -fsyntax-only all would be compiled again each time.
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
