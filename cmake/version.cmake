# Writes OUTPUT from INPUT with the version of what is built (server/base/printing/version.h):
# VERSION, or by the tags and commits of git, or else DEFAULT. Run at each build, so that a commit
# compiles one file anew.
set(version "${VERSION}")
if(NOT version)
  execute_process(COMMAND git describe --tags --match "v[0-9]*" --always
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
  if(version MATCHES "^v")
    string(SUBSTRING "${version}" 1 -1 version)
  elseif(version)
    set(version "${DEFAULT}-g${version}")
  else()
    set(version "${DEFAULT}")
  endif()
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
