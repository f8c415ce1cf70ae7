# SPDX-License-Identifier: MIT
# How the emulator is compiled. A student's first `./course check` waits for it: what runs once per launch is optimised little
# (-O1), files are compiled together, since most of their time goes into what they have in common, headers and instantiated
# templates, and what runs once per instruction gets all the compiler can do (-O3). With -Og and -O2 it would be built in a tenth
# less time, and load and run a tenth slower: the suite would lose more than it gained. Instrumented code is compiled file by file
# and as CMAKE_BUILD_TYPE says.

# What runs once per program or launch: whole components, and files of the others.
set(emu_cold_components analysis annotate cudart decode devices picture program ptx vectors)
set(emu_cold_files check/check check/faults check/findings check/findings_file check/race_report check/words control/builtins
                   counters/counters counters/handovers counters/instruction_kinds counters/launch_counts engine/execution
                   engine/report explore/schedule explore/turns machine/demangle machine/json_file machine/source_place
                   timing/loops timing/memory_side timing/model timing/modelling timing/sections timing/tail timing/what_if trace/trace
                   trace/trace_words)

# Files that are compiled as one, so that no batch takes much longer than another and two cores end together; a hot file in no
# batch is compiled alone, cold ones by number. Two files with a name that each has for itself cannot be in one batch.
set(emu_cold_batch_size 32)
set(emu_batches memory access loads control engine explore integers simple floats conversions counters races values shadow)
set(emu_batch_memory memory/address_space memory/describe)
set(emu_batch_access access/access access/async_copy access/bind_address access/bind_async_copy access/bind_atomic
                     access/bind_fence access/bind_mbarrier access/load_store access/mbarrier)
set(emu_batch_loads access/bind_bulk_copy access/bind_load access/bind_store)
set(emu_batch_control control/bind_control control/bind_warp)
set(emu_batch_engine engine/calls engine/frames engine/grid_loop engine/interleaved engine/meeting engine/splits engine/warp_run)
set(emu_batch_explore explore/interleaver explore/visibility explore/weak_launches explore/weak_memory explore/weak_order
                      explore/weak_sync explore/weak_view)
set(emu_batch_integers bind/bind_bits bind/bind_integer)
set(emu_batch_simple bind/bind_compare bind/bind_extended bind/bind_logic bind/bind_move)
set(emu_batch_floats bind/bind_approx bind/bind_float bind/bind_float_rounding bind/bind_half)
set(emu_batch_conversions bind/bind_convert bind/bind_convert_fast)
set(emu_batch_races check/race_global check/race_operations check/race_orders check/races check/syncs)
set(emu_batch_values check/doubts check/undefined check/written)
set(emu_batch_shadow shadow/clocks shadow/orders shadow/sectors shadow/shadow shadow/sites shadow/waiting)
set(emu_batch_counters counters/access_rules counters/address_tally counters/counting counters/footprint counters/level1)

# Unit tests that are compiled several files at a time, for the same reason; but not those with names that another has, too.
set(emu_tests_together access analysis check counters cudart emulator engine explore ptx semantics timing)
set(emu_tests_together_size 20)
set(emu_tests_alone access/access.test analysis/slots.test counters/footprint.test cudart/exports/exports.test
                    cudart/launching/launch.test engine/reach.test engine/robust.test explore/turns.test semantics/float.test)

# A name that was left behind when its file was renamed would silently change how that is compiled.
set(named ${emu_cold_files} ${emu_tests_alone})
foreach(batch IN LISTS emu_batches)
  list(APPEND named ${emu_batch_${batch}})
endforeach()
foreach(name IN LISTS named)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
    message(FATAL_ERROR "emulator/compile_time.cmake names ${name}, but there is no ${name}.cpp")
  endif()
endforeach()

# emu_add_library(target SOURCES ... LIBRARIES ...): a static library of the emulator.
function(emu_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set(cold "")
  foreach(source IN LISTS arg_SOURCES)
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "\\.cpp$" "" name ${name})
    string(REGEX REPLACE "/.*" "" component ${name})
    if(component IN_LIST emu_cold_components OR name IN_LIST emu_cold_files)
      list(APPEND cold ${source})
    endif()
    foreach(batch IN LISTS emu_batches)
      if(name IN_LIST emu_batch_${batch})
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${batch})
      endif()
    endforeach()
  endforeach()
  set(hot ${arg_SOURCES})
  list(REMOVE_ITEM hot ${cold})

  add_library(${target} STATIC ${hot})
  target_link_libraries(${target} PUBLIC emu_common ${arg_LIBRARIES})
  if(NOT hot)
    target_sources(${target} PRIVATE ${cold})
    emu_compile_as(cold ${target})
    return()
  endif()
  emu_compile_as(hot ${target})
  if(cold)
    add_library(${target}_cold OBJECT ${cold})
    target_link_libraries(${target}_cold PRIVATE emu_common ${arg_LIBRARIES})
    emu_compile_as(cold ${target}_cold)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cold>)
  endif()
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
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${emu_cold_batch_size})
  if(how STREQUAL "hot")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  endif()
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
