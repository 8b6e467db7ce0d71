# libfido2 brings no package for CMake in Debian: the target fido2::fido2, found by name.
find_path(FIDO2_INCLUDE_DIR fido.h REQUIRED)
find_library(FIDO2_LIBRARY fido2 REQUIRED)
add_library(fido2::fido2 UNKNOWN IMPORTED)
set_target_properties(fido2::fido2 PROPERTIES
  IMPORTED_LOCATION ${FIDO2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${FIDO2_INCLUDE_DIR})
