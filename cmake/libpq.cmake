# libpq, the client library of PostgreSQL: the target PostgreSQL::libpq, found by name. CMake's own
# module looks for the headers of the server as well.
find_path(LIBPQ_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)
find_library(LIBPQ_LIBRARY pq REQUIRED)
add_library(PostgreSQL::libpq UNKNOWN IMPORTED)
set_target_properties(PostgreSQL::libpq PROPERTIES
  IMPORTED_LOCATION ${LIBPQ_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LIBPQ_INCLUDE_DIR})
