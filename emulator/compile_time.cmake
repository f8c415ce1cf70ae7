# SPDX-License-Identifier: MIT
# How the emulator is compiled. A student's first `./course check` waits for it: what runs once per launch is optimised little
# (-O1), what runs once per instruction gets all the compiler can do (-O3), and files are compiled together, across rooms, since
# most of their time goes into what they have in common, headers and instantiated templates. With -Og and -O2 it would be built in
# a tenth less time, and load and run a tenth slower: the suite would lose more than it gained. Instrumented code is compiled file
# by file and as CMAKE_BUILD_TYPE says.

# Files that are compiled as one: folders, and single files that belong elsewhere than their folder. What takes longest comes
# first, and no batch takes much longer than another, so that two cores end together. Two files with a name that each has for
# itself cannot be in one batch.

# What runs once per program or launch, and instructions that programs seldom have.
set(emu_cold_batches front work telling reading rare vectors)
set(emu_batch_front cudart/calls cudart/devices cudart/environment cudart/exports cudart/graphs cudart/loading)
set(emu_batch_work cudart/launching cudart/memory cudart/streams)
set(emu_batch_telling annotate picture trace check/check check/faults check/findings check/findings_file check/race_report
                      check/words control/builtins counters/counters counters/handovers counters/ptxas/instruction_kinds
                      counters/launch_counts counters/ptxas/local_arrays engine/execution engine/report explore/schedule explore/turns machine/demangle
                      machine/json_file machine/source_place timing/loops timing/memory_side timing/model timing/modelling
                      timing/sections timing/tail timing/what_if)
set(emu_batch_reading analysis devices program ptx)
set(emu_batch_rare decode access/async_copy access/bind_async_copy access/bind_fence access/bind_mbarrier access/mbarrier
                   bind/bind_approx bind/bind_convert bind/bind_extended bind/bind_float_rounding bind/bind_half)
set(emu_batch_vectors vectors)

# What runs once per instruction.
set(emu_hot_batches checks shadow integers simple access explore engine)
set(emu_batch_checks check)
set(emu_batch_shadow shadow check/doubts check/undefined check/written)
set(emu_batch_integers bind/bind_bits bind/bind_convert_fast bind/bind_integer)
set(emu_batch_simple bind)
set(emu_batch_access access)
set(emu_batch_explore counters explore timing)
set(emu_batch_engine engine control memory machine)

# Unit tests that are compiled several files at a time, for the same reason; but not those with names that another has, too.
set(emu_tests_together access analysis check counters cudart emulator engine explore ptx semantics timing)
set(emu_tests_together_size 20)
set(emu_tests_alone access/access.test analysis/slots.test counters/caches/footprint.test cudart/exports/exports.test
                    cudart/launching/launch.test engine/reach.test engine/robust.test explore/turns.test semantics/float.test)

# A name that was left behind when its file was renamed would silently change how that is compiled.
set(named ${emu_tests_alone})
foreach(batch IN LISTS emu_cold_batches emu_hot_batches)
  list(APPEND named ${emu_batch_${batch}})
endforeach()
foreach(name IN LISTS named)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp AND NOT IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    message(FATAL_ERROR "emulator/compile_time.cmake names ${name}, but there is no ${name}.cpp")
  endif()
endforeach()

# The batch that names a source, or else the nearest folder above it.
function(emu_batch_of source result)
  file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${source})
  string(REGEX REPLACE "\\.cpp$" "" name ${name})
  while(name)
    foreach(batch IN LISTS emu_cold_batches emu_hot_batches)
      if(name IN_LIST emu_batch_${batch})
        set(${result} ${batch} PARENT_SCOPE)
        return()
      endif()
    endforeach()
    get_filename_component(name "${name}" DIRECTORY)
  endwhile()
  message(FATAL_ERROR "emulator/compile_time.cmake: ${source} is in no batch")
endfunction()

# emu_add_library(target source...): a static library of the emulator, compiled in those batches.
function(emu_add_library target)
  set(cold "")
  set(hot "")
  foreach(source IN LISTS ARGN)
    emu_batch_of(${source} batch)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${batch})
    if(batch IN_LIST emu_cold_batches)
      list(APPEND cold ${source})
    else()
      list(APPEND hot ${source})
    endif()
  endforeach()
  add_library(${target}_cold OBJECT ${cold})
  emu_compile_as(cold ${target}_cold)
  add_library(${target} STATIC $<TARGET_OBJECTS:${target}_cold> ${hot})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PUBLIC emu_common)
  target_link_libraries(${target}_cold PRIVATE emu_common warpladder_zstd CUDA::toolkit)
  emu_compile_as(hot ${target})
endfunction()

function(emu_compile_tests_together name)
  if(NOT name IN_LIST emu_tests_together OR WARPLADDER_SANITIZE)
    return()
  endif()
  set_target_properties(test_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${emu_tests_together_size})
  foreach(file IN LISTS emu_tests_alone)
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/${file}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

function(emu_compile_as how target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -fno-math-errno)
  if(WARPLADDER_MARCH)
    target_compile_options(${target} PRIVATE -march=${WARPLADDER_MARCH})
  elseif(WARPLADDER_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
  if(WARPLADDER_SANITIZE)
    return()
  endif()
  set(level_hot -O3)
  set(level_cold -O1)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:${level_${how}}>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(TARGET emu_headers_${how} AND NOT target STREQUAL "emu_headers_${how}")
    target_precompile_headers(${target} REUSE_FROM emu_headers_${how})
  endif()
endfunction()

# These have names for themselves that others have, too.
file(GLOB alone CONFIGURE_DEPENDS devices/*.cpp)
set_source_files_properties(${alone} decode/self_check.cpp vectors/catalogue_compare.cpp vectors/catalogue_convert.cpp
                            vectors/catalogue_integer.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# It defines functions of the runtime without their parameters, so it must not see the declarations.
set_source_files_properties(cudart/exports/stubs.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)

# Where no ccache keeps what was compiled (it cannot keep these), the headers that nearly every file includes are read once: per
# level, because GCC takes no others. The files themselves include all they need (headers.emulator).
if(NOT CCACHE AND NOT WARPLADDER_SANITIZE)
  file(CONFIGURE OUTPUT headers.cpp CONTENT "")
  foreach(how hot cold)
    add_library(emu_headers_${how} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp)
    target_link_libraries(emu_headers_${how} PRIVATE emu_common)
    emu_compile_as(${how} emu_headers_${how})
    target_precompile_headers(emu_headers_${how} PRIVATE <algorithm> <array> <bit> <cstdint> <cstring> <functional> <map>
                              <memory> <mutex> <optional> <set> <span> <string> <string_view> <unordered_map> <vector>)
  endforeach()
endif()
