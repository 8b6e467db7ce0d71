# How every target of ours is built. Warnings are errors in our own code; generated and foreign
# code is compiled as it comes.

find_program(TESELA_CCACHE ccache)
if(TESELA_CCACHE)
  set(hashed_too)
  if(TESELA_SANITIZE)
    set(hashed_too CCACHE_EXTRAFILES=${CMAKE_SOURCE_DIR}/cmake/sanitizer_ignorelist.txt)
  endif()
  # Precompiled headers need the sloppiness; without it every lookup of a file that uses one misses.
  # A clone in another folder finds what was compiled in this one.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${hashed_too}
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${TESELA_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

find_program(TESELA_MOLD mold)
if(TESELA_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(NOT TESELA_SANITIZE)
  # What a fault in memory meets before it can be used (tests/e2e/hardening.test.mjs).
  # Left out: _GLIBCXX_ASSERTIONS and -fstack-protector-strong, which cost a move 4 and 3 %
  # (tests/bench/moves), and -fcf-protection, which does nothing unless every library has it, and
  # Debian's have not.
  add_compile_options(-fstack-protector
    $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=3>)
  add_link_options(-Wl,-z,relro,-z,now)
endif()

if(TESELA_FUZZ)
  # What is compiled says which of its branches were taken. Everything is, so that the fuzz targets
  # and the tests share their libraries and their precompiled header.
  add_compile_options(-fsanitize=fuzzer-no-link)
  if(NOT TESELA_FUZZ_COMPARISONS)
    add_compile_options(-fno-sanitize-coverage=trace-cmp)
  endif()
endif()

if(TESELA_SANITIZE)
  # Relative: ccache does not know this option, and would take another path for another command.
  cmake_path(RELATIVE_PATH CMAKE_SOURCE_DIR BASE_DIRECTORY ${CMAKE_BINARY_DIR}
    OUTPUT_VARIABLE ignorelist)
  string(APPEND ignorelist /cmake/sanitizer_ignorelist.txt)
  add_compile_options(
    -fsanitize=${TESELA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${ignorelist}>)
  add_link_options(-fsanitize=${TESELA_SANITIZE})
  add_compile_definitions(TESELA_SANITIZED)
  if(TESELA_SANITIZE MATCHES "thread")
    # Asio's fences, which ThreadSanitizer cannot see, stand beside mutexes, which it can. And
    # protobuf's maps have one member more where the macro is set, but not in Debian's library.
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan> -U__SANITIZE_THREAD__)
  endif()
endif()

# An eighth of the time goes into looking for garbage in heaps that are small.
add_compile_options(
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess;--param=ggc-min-heapsize=524288>")

add_library(tesela_warnings INTERFACE)
target_compile_options(tesela_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)
# GCC 12 warns falsely inside Asio's and the standard library's inlined code when it optimises.
set(false_alarms -Wno-maybe-uninitialized -Wno-restrict -Wno-mismatched-new-delete
  -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds
  # A batch includes the .cc files, so that each of their unnamed namespaces looks like a header's.
  -Wno-subobject-linkage)
target_compile_options(tesela_warnings INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:${false_alarms}>"
  # What GCC does not count among conversions either; and what stable_sort of GCC 12's library uses.
  "$<$<CXX_COMPILER_ID:Clang>:-Wno-unused-command-line-argument;-Wno-sign-conversion>"
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

# tesela_unity(TARGET): its sources are compiled in batches, so that each header is parsed once per
# batch. CMake's properties say which are left out, and what belongs together. Made here and not by
# CMake, whose batches name files by their absolute paths: ccache would have to preprocess them to
# find in one clone what was compiled in another.
function(tesela_unity name)
  if(TESELA_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON)
    # Afterwards, when all properties are set.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL tesela_batches ${name})")
  endif()
endfunction()

function(tesela_batches name)
  get_target_property(unity ${name} UNITY_BUILD)
  if(NOT unity)
    return()
  endif()
  get_target_property(mode ${name} UNITY_BUILD_MODE)
  get_target_property(sources ${name} SOURCES)
  list(LENGTH sources size)
  set(compiled)
  set(batches)
  set(count 0)
  foreach(source IN LISTS sources)
    get_source_file_property(skipped ${source} SKIP_UNITY_BUILD_INCLUSION)
    get_source_file_property(batch ${source} UNITY_GROUP)
    if(NOT mode STREQUAL GROUP)
      set(batch 0)
      if(TESELA_UNITY_BATCH GREATER 0)
        # A small rest goes to the last one: it would parse all headers again.
        math(EXPR batch "${count} / ${TESELA_UNITY_BATCH}")
        math(EXPR rest "${size} - ${batch} * ${TESELA_UNITY_BATCH}")
        math(EXPR half "${TESELA_UNITY_BATCH} / 2")
        if(batch GREATER 0 AND rest LESS half)
          math(EXPR batch "${batch} - 1")
        endif()
      endif()
    endif()
    if(skipped OR NOT source MATCHES "\\.cc$" OR batch STREQUAL NOTFOUND)
      list(APPEND compiled ${source})
    else()
      math(EXPR count "${count} + 1")
      list(APPEND batches ${batch})
      cmake_path(ABSOLUTE_PATH source)
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
      string(APPEND text_of_${batch}
        "// NOLINTNEXTLINE(bugprone-suspicious-include,misc-include-cleaner)\n"
        "#include \"${source}\"\n")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES batches)
  foreach(batch IN LISTS batches)
    set(path ${CMAKE_CURRENT_BINARY_DIR}/batches/${name}_${batch}.cc)
    file(CONFIGURE OUTPUT ${path} CONTENT "${text_of_${batch}}" @ONLY)
    list(APPEND compiled ${path})
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF SOURCES "${compiled}")
endfunction()

# tesela_seldom(TARGET): its code runs seldom. Optimised less, it is compiled in two thirds of the
# time.
function(tesela_seldom name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# tesela_library(NAME [PCH] [SELDOM] SOURCES … LINK …): a static library of our own. Includes start
# at the root.
function(tesela_library name)
  cmake_parse_arguments(ARG "PCH;SELDOM" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE tesela_warnings)
  tesela_unity(${name})
  if(ARG_SELDOM)
    tesela_seldom(${name})
  endif()
  if(ARG_PCH AND TESELA_PCH)
    target_precompile_headers(${name} REUSE_FROM tesela_pch)
  endif()
endfunction()

# tesela_program(NAME [PCH] [SELDOM] [OUTPUT file] SOURCES … LINK …): an executable in bin/.
function(tesela_program name)
  cmake_parse_arguments(ARG "PCH;SELDOM" "OUTPUT" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} tesela_warnings)
  tesela_unity(${name})
  if(ARG_SELDOM)
    tesela_seldom(${name})
  endif()
  if(ARG_OUTPUT)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME ${ARG_OUTPUT})
  endif()
  if(ARG_PCH AND TESELA_PCH)
    target_precompile_headers(${name} REUSE_FROM tesela_pch)
  endif()
endfunction()

# tesela_programs_with_games(NAME LIST SERVER_LINK … [CLI_LINK …]): tesela-server and tesela again,
# as NAME_server and NAME_cli in bin/ of the calling folder, with the games of LIST: a file such as
# server/games/games.def, its path from the root. The libraries hold the games that LIST adds; a
# program without any is not made.
function(tesela_programs_with_games name list)
  cmake_parse_arguments(ARG "" "" "SERVER_LINK;CLI_LINK" ${ARGN})
  set(server_lists server/games/game_list.cc)
  set(cli_lists ${server_lists} clients/cli/games/game_list.cc)
  foreach(program server cli)
    string(TOUPPER ${program} upper)
    if(NOT ARG_${upper}_LINK)
      continue()
    endif()
    get_target_property(libraries tesela_${program} LINK_LIBRARIES)
    get_target_property(output tesela_${program} OUTPUT_NAME)
    list(TRANSFORM ${program}_lists PREPEND ${CMAKE_SOURCE_DIR}/)
    tesela_program(${name}_${program} PCH OUTPUT ${output}
      SOURCES ${${program}_lists} $<TARGET_OBJECTS:tesela_${program}>
      LINK ${ARG_${upper}_LINK} ${libraries})
    # The two lists have names in common.
    set_target_properties(${name}_${program} PROPERTIES
      UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
    target_compile_definitions(${name}_${program} PRIVATE TESELA_GAMES_DEF="${list}")
  endforeach()
endfunction()

# tesela_faulty_copy(COPY SOURCE TEXT FAULTY): sets COPY to a copy of a source, its path from the
# root, with FAULTY in place of TEXT, which stands there once. For programs that show that a test
# finds the fault: linked before the library, whose object of SOURCE is then not taken. So it must
# be in no batch of it.
function(tesela_faulty_copy copy source text faulty)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${source})
  file(READ ${CMAKE_SOURCE_DIR}/${source} code)
  string(FIND "${code}" "${text}" first)
  string(FIND "${code}" "${text}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${source} does not have this text once:\n${text}")
  endif()
  string(REPLACE "${text}" "${faulty}" code "${code}")
  get_filename_component(name ${source} NAME)
  set(path ${CMAKE_CURRENT_BINARY_DIR}/faulty/${copy}/${name})
  file(CONFIGURE OUTPUT ${path} CONTENT "${code}" @ONLY)
  set(${copy} ${path} PARENT_SCOPE)
endfunction()

# tesela_proto(NAME [SELDOM regex] [TESTED regex] FILE …): C++ of .proto files, messages and gRPC
# services, made at build time. A file's place in the calling folder is what #include and other
# .proto files call it. SELDOM matches names of batches (tesela_proto_batches) whose code runs
# seldom. The services of files that TESTED matches are a library of their own, NAME_services: only
# tests need them.
function(tesela_proto name)
  cmake_parse_arguments(ARG "" "SELDOM;TESTED" "" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PUBLIC protobuf::libprotobuf gRPC::grpc++)
  protobuf_generate(TARGET ${name} LANGUAGE cpp
    IMPORT_DIRS ${CMAKE_CURRENT_SOURCE_DIR} PROTOC_OUT_DIR ${CMAKE_CURRENT_BINARY_DIR})
  protobuf_generate(TARGET ${name} LANGUAGE grpc
    GENERATE_EXTENSIONS .grpc.pb.h .grpc.pb.cc
    PLUGIN "protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>"
    IMPORT_DIRS ${CMAKE_CURRENT_SOURCE_DIR} PROTOC_OUT_DIR ${CMAKE_CURRENT_BINARY_DIR})
  if(TESELA_UNITY)
    tesela_proto_batches(${name} "${ARG_SELDOM}" "${ARG_TESTED}")
  elseif(ARG_TESTED)
    add_library(${name}_services INTERFACE)
    target_link_libraries(${name}_services INTERFACE ${name})
  endif()
endfunction()

# tesela_proto_batches(TARGET SELDOM TESTED): the messages of each folder are compiled as one, and
# so are all services, so that protobuf's headers are parsed once for each.
function(tesela_proto_batches name seldom tested)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.pb\\.cc$")
  set(batches)
  set(count 0)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
      OUTPUT_VARIABLE included)
    cmake_path(GET included PARENT_PATH folder)
    string(REPLACE / _ batch "messages_${folder}")
    if(source MATCHES "\\.grpc\\.pb\\.cc$")
      set(batch services)
      if(tested AND source MATCHES "${tested}")
        set(batch tested_services)
      endif()
    endif()
    set(line "#include \"${included}\"\n")
    if(batch IN_LIST batches AND NOT batch MATCHES "services$")
      # Names of tables that every generated file has. Not in the first one of a batch, which brings
      # protobuf's headers along.
      math(EXPR count "${count} + 1")
      foreach(table file_default_instances schemas)
        set(line "#define ${table} ${table}_${count}\n${line}#undef ${table}\n")
      endforeach()
    endif()
    list(APPEND batches ${batch})
    string(APPEND text_of_${batch} "${line}")
  endforeach()
  list(REMOVE_DUPLICATES batches)
  foreach(batch IN LISTS batches)
    set(path ${CMAKE_CURRENT_BINARY_DIR}/batches/${name}_${batch}.cc)
    file(CONFIGURE OUTPUT ${path} CONTENT "${text_of_${batch}}" @ONLY)
    if(batch STREQUAL tested_services)
      add_library(${name}_services STATIC ${path})
      target_link_libraries(${name}_services PUBLIC ${name})
    else()
      target_sources(${name} PRIVATE ${path})
    endif()
    if(seldom AND batch MATCHES "${seldom}")
      set_source_files_properties(${path} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
    endif()
  endforeach()
  # Made, and not compiled.
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
endfunction()

# The games that ship: the folders of engine/ with rules in words, and their libraries.
file(GLOB TESELA_GAMES CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/engine
  ${CMAKE_SOURCE_DIR}/engine/*/RULES.md)
list(TRANSFORM TESELA_GAMES REPLACE "/RULES.md" "")
list(TRANSFORM TESELA_GAMES PREPEND tesela_ OUTPUT_VARIABLE TESELA_GAME_LIBRARIES)

# All programs of GoogleTest cases.
add_custom_target(unit_tests)

# tesela_test(NAME [PCH] LABEL part [SHARDS count] [FOLDERS …] [SOURCES …] LINK …): a program of
# GoogleTest cases, one test of ctest, or SHARDS of them, which run side by side. FOLDERS: every
# *_test.cc in them. The label is the NAME that ./tests/run.sh takes.
function(tesela_test name)
  cmake_parse_arguments(ARG "PCH" "LABEL;SHARDS" "FOLDERS;SOURCES;LINK" ${ARGN})
  if(NOT TESELA_UNIT_TESTS AND ARG_LABEL MATCHES "^(store|server|cli)$")
    return()
  endif()
  foreach(folder IN LISTS ARG_FOLDERS)
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*_test.cc)
    list(APPEND ARG_SOURCES ${found})
  endforeach()
  set(pch)
  if(ARG_PCH)
    set(pch PCH)
  endif()
  tesela_program(${name} ${pch} SOURCES ${ARG_SOURCES}
    LINK ${ARG_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  add_dependencies(unit_tests ${name})
  set(test ${name})
  set(label ${ARG_LABEL})
  set(left_out)
  set(environment)
  # What compares the strength of strategies repeats much, and shows a sanitizer nothing new.
  if(TESELA_SANITIZE)
    list(APPEND left_out *Levels* *SeldomCalledAMistake)
  endif()
  if(TESELA_SANITIZE MATCHES "address")
    set(test asan.${name})
  elseif(TESELA_SANITIZE MATCHES "thread")
    set(test tsan.${name})
    set(label tsan)
    list(APPEND left_out Crash.* PostgresBoardCounts.*)
    set(environment TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp)
  endif()
  list(JOIN left_out : left_out)
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(one ${test})
    if(ARG_SHARDS GREATER 1)
      set(one ${test}.${shard})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${one} COMMAND ${name} --gtest_brief=1 --gtest_filter=-${left_out}
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    # The cost lets ctest begin the longest programs first.
    set_tests_properties(${one} PROPERTIES LABELS ${label} COST 100 TIMEOUT 1800 ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index};${environment}")
  endforeach()
endfunction()

# tesela_include_games(TARGET FILE HEADER): gives TARGET an <FILE> to include, which has the header
# of every game that ships: HEADER with the name of the game's folder in place of NAME.
function(tesela_include_games target file header)
  if(NOT TARGET ${target})
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_games)
  set(text "#pragma once\n")
  foreach(game IN LISTS TESELA_GAMES)
    string(REPLACE NAME ${game} path ${header})
    string(APPEND text "#include \"${path}\"  // IWYU pragma: export\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/${file} CONTENT "${text}" @ONLY)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
