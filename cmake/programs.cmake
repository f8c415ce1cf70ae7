# SPDX-License-Identifier: MIT
# Standalone CUDA programs: built by nvcc, run by tests/support/run_program.py, their output compared with <name>.expected.
# The first lines of a program may hold directives (`// nvcc: --flag`); run_program.py documents them all. The ones the
# build needs are read here.

find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)

# The programs of this build find the emulator, whatever LD_LIBRARY_PATH says (DT_RPATH is searched before it).
function(warpladder_use_emulator target)
  set_target_properties(${target} PROPERTIES BUILD_RPATH ${CMAKE_BINARY_DIR}/lib)
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  if(TARGET emu_cudart_shared)
    add_dependencies(${target} emu_cudart_shared)
  endif()
endfunction()

# The values of one directive in a program's first 40 lines, as a list of words.
function(warpladder_read_directive source key result)
  file(STRINGS ${source} lines LIMIT_COUNT 40 REGEX "^// *${key}:")
  set(words "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^// *${key}: *" "" line "${line}")
    separate_arguments(line UNIX_COMMAND "${line}")
    list(APPEND words ${line})
  endforeach()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# warpladder_add_program(topic/file.cu): the executable programs/topic/file and the CTest test "program.topic.file". Where
# programs run on a GPU and the emulator is built as well, "emulated.topic.file" runs the same file on the emulator.
function(warpladder_add_program source)
  get_filename_component(stem ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  file(RELATIVE_PATH topic ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
  string(REPLACE "/" "." name "${topic}/${stem}")
  string(REGEX REPLACE "^\\." "" name "${name}")  # no topic
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})  # its directives
  warpladder_read_directive(${source} needs headers)
  foreach(header IN LISTS headers)  # nvcc from wheels comes without the large libraries and their headers
    find_path(found_header ${header} PATHS ${CUDAToolkit_INCLUDE_DIRS} NO_CACHE NO_DEFAULT_PATH)
    if(NOT found_header)
      warpladder_add_program_test(program.${name} skipped ${Python3_EXECUTABLE} -c
                                  "raise SystemExit(print('this toolkit has no ${header}') or 77)")
      return()
    endif()
  endforeach()
  warpladder_read_directive(${source} nvcc flags)
  warpladder_read_directive(${source} arch architectures)
  set(parts ${flags})  # `// nvcc: -rdc=true other.inc.cu`: what ends in .cu is a further source
  list(FILTER parts INCLUDE REGEX "\\.cu$")
  list(FILTER flags EXCLUDE REGEX "\\.cu$")
  list(TRANSFORM parts PREPEND ${folder}/)

  set(target program.${name})
  add_executable(${target} ${source} ${parts})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${stem}
                                             RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/programs/${topic})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${flags}>)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE warpladder::warnings)
  if(architectures)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${architectures}")
  endif()
  if(flags MATCHES "-rdc=true")
    set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
  endif()

  set(runner ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/support/run_program.py --source ${source})
  if(WARPLADDER_RUNS_ON STREQUAL "emulator")
    warpladder_use_emulator(${target})
    warpladder_add_program_test(program.${name} emulator ${runner} --backend emulator $<TARGET_FILE:${target}>)
    return()
  endif()
  set_target_properties(${target} PROPERTIES BUILD_RPATH "${CUDAToolkit_LIBRARY_DIR}")
  warpladder_add_program_test(program.${name} gpu ${runner} --backend gpu --cc "${WARPLADDER_GPU_CC}" $<TARGET_FILE:${target}>)
  if(TARGET emu_cudart_shared)
    warpladder_add_program_test(emulated.${name} emulator ${runner} --backend emulator --library-dir ${CMAKE_BINARY_DIR}/lib
                                $<TARGET_FILE:${target}>)
  endif()
endfunction()

# The runner has its own, shorter limit; 77 means that the program does not apply to this backend.
function(warpladder_add_program_test name label)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "program;${label}" SKIP_RETURN_CODE 77 TIMEOUT 900)
endfunction()
