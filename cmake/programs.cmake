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
  warpladder_name_program(${source} name topic stem folder)
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
  warpladder_add_program_executable(${target} ${topic} ${stem} ${source} ${parts})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${flags}>)
  if(architectures)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${architectures}")
  endif()
  if(flags MATCHES "-rdc=true")
    set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
  endif()
  warpladder_read_directive(${source} long long)
  if(long)
    warpladder_build_when_long(${target})
  endif()
  warpladder_add_program_tests(${source} ${name} $<TARGET_FILE:${target}>)
endfunction()

# `// long: REASON`: only `ctest -C Long` runs it, and builds it then.
function(warpladder_build_when_long target)
  if(NOT TARGET long_programs)
    add_custom_target(long_programs)
    add_test(NAME program.build_long CONFIGURATIONS Long
             COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target long_programs)
    set_tests_properties(program.build_long PROPERTIES FIXTURES_SETUP long_programs LABELS program TIMEOUT 900
                                                       RESOURCE_LOCK build_folder)
  endif()
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(long_programs ${target})
endfunction()

# warpladder_add_program_batch(batch "flags" file.cu...): the same programs and tests, but compiled as one file, and one
# executable programs/<batch> with as many names: nvcc takes longer to read the toolkit's headers than for a small program.
# Each lies in a namespace of its own, which run_program.py takes out of what it prints; what they include comes before all
# of them, and their macros end with them.
function(warpladder_add_program_batch batch flags)
  warpladder_includes_of(includes ${ARGN})
  set(programs "")
  set(choices "")
  foreach(source IN LISTS ARGN)
    warpladder_name_program(${source} name topic stem folder)
    set(space program_${topic}_${stem})
    string(APPEND programs "namespace ${space} {\n#define main program_main\n#include \"${source}\"\n#undef main\n}\n")
    file(STRINGS ${source} macros REGEX "^#define")
    foreach(macro IN LISTS macros)
      string(REGEX REPLACE "^#define ([A-Za-z0-9_]+).*$" "#undef \\1\n" macro "${macro}")
      string(APPEND programs "${macro}")
    endforeach()
    string(APPEND choices "  if (called(argv[0], \"/${topic}/${stem}\")) return call(&${space}::program_main, argc, argv);\n")
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${batch}.cu)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/program_batch.cu.in ${file} @ONLY)

  set(target programs.${batch})
  warpladder_add_program_executable(${target} . ${batch} ${file})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${flags}>)
  foreach(source IN LISTS ARGN)
    warpladder_name_program(${source} name topic stem folder)
    set(link ${CMAKE_BINARY_DIR}/programs/${topic}/${stem})
    add_custom_command(
      OUTPUT ${link}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/programs/${topic}
      COMMAND ${CMAKE_COMMAND} -E create_symlink ../${batch} ${link}
      DEPENDS ${target} VERBATIM)
    add_custom_target(program.${name} ALL DEPENDS ${link})
    warpladder_add_program_tests(${source} ${name} ${link})
  endforeach()
endfunction()

# warpladder_join_tests(result name file.test.cu...): one file <name> that includes them all, each in a namespace of its own, for the
# same reason. Catch2 tells their cases apart by the file they stand in.
function(warpladder_join_tests result name)
  warpladder_includes_of(text ${ARGN})
  foreach(source IN LISTS ARGN)
    get_filename_component(stem ${source} NAME_WE)
    string(APPEND text "\nnamespace ${stem}_tests {\n#include \"${source}\"\n}\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# What some sources include, as lines that stand before all of them.
function(warpladder_includes_of result)
  set(includes "")
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    file(STRINGS ${source} lines REGEX "^#include")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"(.*)\"$" "${folder}/\\1" beside "${line}")
      if(NOT beside STREQUAL line AND EXISTS "${beside}")  # else a folder of the command line has it
        set(line "#include \"${beside}\"")
      endif()
      list(APPEND includes "${line}")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)
  set(${result} "${includes}" PARENT_SCOPE)
endfunction()

# Programs of the same kind can be compiled together: they take in headers of the same weight and have the same flags. Empty:
# this one must be compiled alone, because it has an architecture, a header or further sources of its own, or says
# `// alone: REASON` or `// long: REASON`.
function(warpladder_kind_of_program source result)
  set(${result} "" PARENT_SCOPE)
  file(STRINGS ${source} alone LIMIT_COUNT 1 REGEX "^// *(arch|needs|alone|long):")
  warpladder_read_directive(${source} nvcc flags)
  if(alone OR flags MATCHES "\\.cu(;|$)")
    return()
  endif()
  set(weight light)
  file(STRINGS ${source} includes REGEX "^#include <")
  if(includes MATCHES "<(cub|thrust)/")
    set(weight library)
  elseif(includes MATCHES "<(cooperative_groups|cuda/|cuda_)")
    set(weight groups)
  endif()
  list(PREPEND flags ${weight})
  list(JOIN flags " " kind)
  set(${result} "${kind}" PARENT_SCOPE)
endfunction()

# What a program is called: "topic.file", "topic", "file"; and its folder.
function(warpladder_name_program source name topic stem folder)
  get_filename_component(its_stem ${source} NAME_WE)
  get_filename_component(its_folder ${source} DIRECTORY)
  file(RELATIVE_PATH its_topic ${CMAKE_CURRENT_SOURCE_DIR} ${its_folder})
  string(REPLACE "/" "." its_name "${its_topic}/${its_stem}")
  set(${name} "${its_name}" PARENT_SCOPE)
  set(${topic} "${its_topic}" PARENT_SCOPE)
  set(${stem} "${its_stem}" PARENT_SCOPE)
  set(${folder} "${its_folder}" PARENT_SCOPE)
endfunction()

function(warpladder_add_program_executable target topic output)
  add_executable(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output}
                                             RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/programs/${topic})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE warpladder::warnings)
  if(WARPLADDER_RUNS_ON STREQUAL "emulator")
    warpladder_use_emulator(${target})
  else()
    set_target_properties(${target} PROPERTIES BUILD_RPATH "${CUDAToolkit_LIBRARY_DIR}")
  endif()
endfunction()

function(warpladder_add_program_tests source name program)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})  # its directives and includes
  warpladder_read_directive(${source} long long)
  set(runner ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/support/run_program.py --source ${source})
  if(WARPLADDER_RUNS_ON STREQUAL "emulator")
    warpladder_add_program_test(program.${name} emulator ${runner} --backend emulator ${program})
    return()
  endif()
  warpladder_add_program_test(program.${name} gpu ${runner} --backend gpu --cc "${WARPLADDER_GPU_CC}" ${program})
  if(TARGET emu_cudart_shared)
    warpladder_add_program_test(emulated.${name} emulator ${runner} --backend emulator --library-dir ${CMAKE_BINARY_DIR}/lib
                                ${program})
  endif()
endfunction()

# The runner has its own, shorter limit; 77 means that the program does not apply to this backend. `long` is the caller's.
function(warpladder_add_program_test name label)
  if(long)
    add_test(NAME ${name} COMMAND ${ARGN} CONFIGURATIONS Long)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED long_programs)
  else()
    add_test(NAME ${name} COMMAND ${ARGN})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "program;${label}" SKIP_RETURN_CODE 77 TIMEOUT 900)
endfunction()
