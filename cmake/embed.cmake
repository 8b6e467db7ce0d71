# tesela_embed(SOURCE_VARIABLE symbol root files…): writes an assembler source that holds the bytes
# of the files (paths below root) between SYMBOL_begin and SYMBOL_end, as a table of {path, begin,
# end}. It is assembled again when a file changes; that the list is complete is for the caller.
function(tesela_embed out symbol root)
  set(contents "")
  set(table "")
  set(index 0)
  set(inputs "")
  foreach(file ${ARGN})
    string(APPEND contents
      "path_${index}: .asciz \"/${file}\"\n"
      "begin_${index}: .incbin \"${root}/${file}\"\n"
      "end_${index}: .byte 0\n")
    string(APPEND table "  .quad path_${index}, begin_${index}, end_${index}\n")
    list(APPEND inputs ${root}/${file})
    math(EXPR index "${index} + 1")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"# Written by cmake/embed.cmake.
  .section .rodata
@contents@
  .section .data.rel.ro, \"aw\"
  .balign 8
  .global @symbol@_begin
@symbol@_begin:
@table@  .global @symbol@_end
@symbol@_end:
  .section .note.GNU-stack, \"\", %progbits
")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${inputs}")
  set(${out} ${source} PARENT_SCOPE)
endfunction()
