#include "server/store/sqlite/database/page_sums.h"

#include "server/store/sqlite/files/checked_files.h"

namespace tesela::store {
namespace {

void control(Connection& connection, int what, void* argument) {
  const int code = sqlite3_file_control(connection.handle(), "main", what, argument);
  if (code != SQLITE_OK) throw StorageError(code, sqlite3_errstr(code));
}

}  // namespace

bool has_page_sums(Connection& connection) {
  int reserved = -1;  // asks
  control(connection, SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  return reserved == kPageSumBytes;
}

void keep_page_sums(Connection& connection) {
  int reserved = kPageSumBytes;
  control(connection, SQLITE_FCNTL_RESERVE_BYTES, &reserved);
}

void copy_page_sums(Connection& source, Connection& copy) {
  bool has_sums = has_page_sums(source);
  control(copy, kSetPageSums, &has_sums);
}

}  // namespace tesela::store
