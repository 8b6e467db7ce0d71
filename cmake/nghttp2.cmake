# nghttp2 brings no package for CMake in Debian: the target nghttp2::nghttp2, found by name.
find_path(NGHTTP2_INCLUDE_DIR nghttp2/nghttp2.h REQUIRED)
find_library(NGHTTP2_LIBRARY nghttp2 REQUIRED)
add_library(nghttp2::nghttp2 UNKNOWN IMPORTED)
set_target_properties(nghttp2::nghttp2 PROPERTIES
  IMPORTED_LOCATION ${NGHTTP2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NGHTTP2_INCLUDE_DIR})
