#include "server/store/sqlite/files/checked_files.h"

#define XXH_INLINE_ALL
#include <sqlite3.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>

#include "server/store/sqlite/files/log_frames.h"

namespace tesela::store {
namespace {

using Page = std::array<char, kPageBytes>;

constexpr std::size_t kSummedBytes = kPageBytes - kPageSumBytes;
constexpr std::size_t kReservedAt = 20;  // of the first page: the bytes left free in each
constexpr std::size_t kFrameBytes = kFrameHeaderBytes + kPageBytes;
// An extended code of our own: after a bare SQLITE_CORRUPT, SQLite commits no transaction, though
// only what wanted this page must fail.
constexpr int kDamagedPage = SQLITE_CORRUPT | (0x7e << 8);

std::array<char, kPageSumBytes> page_sum(const char* page, std::uint64_t number) {
  XXH64_canonical_t sum;
  XXH64_canonicalFromHash(&sum, XXH3_64bits_withSeed(page, kSummedBytes, number));
  std::array<char, kPageSumBytes> bytes{};
  std::memcpy(bytes.data(), &sum, sizeof sum);
  return bytes;
}

bool has_right_sum(const char* page, std::uint64_t number) {
  return std::memcmp(page_sum(page, number).data(), page + kSummedBytes, kPageSumBytes) == 0;
}

/// A page that SQLite did not need to write, in front of one that it has written.
bool was_never_written(const char* page) {
  return std::all_of(page, page + kPageBytes, [](char byte) { return byte == 0; });
}

bool leaves_room(const char* first_page) {
  return first_page[kReservedAt] == kPageSumBytes;
}

/// A file of SQLite's, and behind it the default file system's own.
struct CheckedFile {
  sqlite3_file base;
  bool has_sums;               // of a database
  std::int64_t headed;         // of a log: the frame whose header was written last
  std::int64_t unsummed_from;  // of a log: the first frame whose sum is not written yet

  static constexpr std::int64_t kNone = INT64_MAX;
};

CheckedFile& checked(sqlite3_file* file) {
  return *reinterpret_cast<CheckedFile*>(file);
}

sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<CheckedFile*>(file) + 1);
}

sqlite3_vfs* real_files() {
  return sqlite3_vfs_find(nullptr);
}

int read_real(sqlite3_file* file, void* into, std::size_t bytes, sqlite3_int64 at) {
  return real(file)->pMethods->xRead(real(file), into, static_cast<int>(bytes), at);
}

int write_real(sqlite3_file* file, const void* from, std::size_t bytes, sqlite3_int64 at) {
  return real(file)->pMethods->xWrite(real(file), from, static_cast<int>(bytes), at);
}

bool is_page(int bytes, sqlite3_int64 at) {
  return bytes == kPageBytes && at % sqlite3_int64{kPageBytes} == 0;
}

std::uint64_t number_of(sqlite3_int64 at) {
  return static_cast<std::uint64_t>(at) / kPageBytes + 1;
}

/// Whether only the byte is wrong that says so.
bool would_have_sums(sqlite3_file* file) {
  Page first{};
  if (read_real(file, first.data(), first.size(), 0) != SQLITE_OK) return false;
  first[kReservedAt] = kPageSumBytes;
  return has_right_sum(first.data(), 1);
}

int read_database(sqlite3_file* file, void* into, int bytes, sqlite3_int64 at) {
  const int code = read_real(file, into, static_cast<std::size_t>(bytes), at);
  if (code != SQLITE_OK) return code;
  const char* const page = static_cast<const char*>(into);
  CheckedFile& database = checked(file);
  if (at == 0 && bytes > static_cast<int>(kReservedAt)) {
    database.has_sums = leaves_room(page) || would_have_sums(file);
  }
  if (!database.has_sums || !is_page(bytes, at)) return SQLITE_OK;
  return is_sound_page(page, number_of(at)) ? SQLITE_OK : kDamagedPage;
}

int write_database(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 at) {
  CheckedFile& database = checked(file);
  if (!is_page(bytes, at)) return write_real(file, from, static_cast<std::size_t>(bytes), at);
  if (at == 0) database.has_sums = leaves_room(static_cast<const char*>(from));
  if (!database.has_sums) return write_real(file, from, kPageBytes, at);
  Page page;
  std::memcpy(page.data(), from, kSummedBytes);
  const auto sum = page_sum(page.data(), number_of(at));
  std::memcpy(page.data() + kSummedBytes, sum.data(), sum.size());
  return write_real(file, page.data(), page.size(), at);
}

/// The frame of a log with a page at `at`; nothing: there is something else.
std::optional<std::int64_t> frame_of_page(int bytes, sqlite3_int64 at) {
  constexpr sqlite3_int64 kFirst = kLogHeaderBytes + kFrameHeaderBytes;
  const sqlite3_int64 behind = at - kFirst;
  if (bytes != kPageBytes || behind < 0 || behind % sqlite3_int64{kFrameBytes} != 0) {
    return std::nullopt;
  }
  return behind / sqlite3_int64{kFrameBytes};
}

sqlite3_int64 begin_of(std::int64_t frame) {
  return sqlite3_int64{kLogHeaderBytes} + frame * sqlite3_int64{kFrameBytes};
}

int read_log(sqlite3_file* file, void* into, int bytes, sqlite3_int64 at) {
  const auto number = frame_of_page(bytes, at);
  if (!number || *number >= checked(file).unsummed_from) {
    return read_real(file, into, static_cast<std::size_t>(bytes), at);
  }
  std::array<char, kFrameBytes> bytes_of_frame;
  int code = read_real(file, bytes_of_frame.data(), kFrameBytes, begin_of(*number));
  std::memcpy(into, bytes_of_frame.data() + kFrameHeaderBytes, kPageBytes);
  if (code != SQLITE_OK) return code;
  std::array<char, sizeof(LogSum)> stated_before{};
  const sqlite3_int64 before_at = *number == 0 ? sqlite3_int64{kHeaderSumAt}
                                               : begin_of(*number - 1) + sqlite3_int64{kFrameSumAt};
  code = read_real(file, stated_before.data(), stated_before.size(), before_at);
  if (code != SQLITE_OK) return code;
  const std::string_view frame{bytes_of_frame.data(), bytes_of_frame.size()};
  const LogSum before = sum_at({stated_before.data(), stated_before.size()}, 0);
  const LogSum stated = sum_at(frame, kFrameSumAt);
  for (const WordOrder order : {WordOrder::kLittleEndian, WordOrder::kBigEndian}) {
    if (sum_of_frame(before, frame, order) == stated) return SQLITE_OK;
  }
  return kDamagedPage;
}

/// A transaction that writes a page again does so in its frame, and writes the sums of all frames
/// from there on when it commits.
int write_log(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 at) {
  CheckedFile& log = checked(file);
  const std::int64_t behind = at - sqlite3_int64{kLogHeaderBytes};
  if (bytes == kFrameHeaderBytes && behind >= 0 && behind % std::int64_t{kFrameBytes} == 0) {
    log.headed = behind / std::int64_t{kFrameBytes};
    if (log.headed <= log.unsummed_from) log.unsummed_from = CheckedFile::kNone;
  } else if (const auto frame = frame_of_page(bytes, at); frame && *frame != log.headed) {
    log.unsummed_from = std::min(log.unsummed_from, *frame);
  } else {
    log.headed = -1;
  }
  return write_real(file, from, static_cast<std::size_t>(bytes), at);
}

int control(sqlite3_file* file, int what, void* argument) {
  if (what == kSetPageSums) {
    checked(file).has_sums = *static_cast<bool*>(argument);
    return SQLITE_OK;
  }
  return real(file)->pMethods->xFileControl(real(file), what, argument);
}

/// Calls the same of the real file.
template <auto kMethod, class... Arguments>
int pass(sqlite3_file* file, Arguments... arguments) {
  return (real(file)->pMethods->*kMethod)(real(file), arguments...);
}

void pass_barrier(sqlite3_file* file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

using Io = sqlite3_io_methods;

// Version 2: without xFetch, so SQLite maps nothing.
constexpr Io kOfDatabases{.iVersion = 2,
                          .xClose = pass<&Io::xClose>,
                          .xRead = read_database,
                          .xWrite = write_database,
                          .xTruncate = pass<&Io::xTruncate>,
                          .xSync = pass<&Io::xSync>,
                          .xFileSize = pass<&Io::xFileSize>,
                          .xLock = pass<&Io::xLock>,
                          .xUnlock = pass<&Io::xUnlock>,
                          .xCheckReservedLock = pass<&Io::xCheckReservedLock>,
                          .xFileControl = control,
                          .xSectorSize = pass<&Io::xSectorSize>,
                          .xDeviceCharacteristics = pass<&Io::xDeviceCharacteristics>,
                          .xShmMap = pass<&Io::xShmMap>,
                          .xShmLock = pass<&Io::xShmLock>,
                          .xShmBarrier = pass_barrier,
                          .xShmUnmap = pass<&Io::xShmUnmap>,
                          .xFetch = nullptr,
                          .xUnfetch = nullptr};

constexpr Io kOfLogs = [] {
  Io methods = kOfDatabases;
  methods.xRead = read_log;
  methods.xWrite = write_log;
  return methods;
}();

/// Whether a file is empty: its first page is not written yet.
bool is_empty(sqlite3_file* file) {
  sqlite3_int64 bytes = 0;
  return real(file)->pMethods->xFileSize(real(file), &bytes) == SQLITE_OK && bytes == 0;
}

int open_checked(sqlite3_vfs* /*files*/, const char* name, sqlite3_file* file, int flags,
                 int* opened) {
  const bool is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  if (!is_database && (flags & SQLITE_OPEN_WAL) == 0) {
    return real_files()->xOpen(real_files(), name, file, flags, opened);
  }
  auto* const wrapped = new (file) CheckedFile{.base = {.pMethods = nullptr},
                                               .has_sums = false,
                                               .headed = -1,
                                               .unsummed_from = CheckedFile::kNone};
  real(file)->pMethods = nullptr;
  const int code = real_files()->xOpen(real_files(), name, real(file), flags, opened);
  if (real(file)->pMethods == nullptr) return code;
  wrapped->base.pMethods = is_database ? &kOfDatabases : &kOfLogs;
  // Of a new database pages may be written before the first one.
  wrapped->has_sums = code == SQLITE_OK && is_database && is_empty(file);
  return code;
}

}  // namespace

bool is_sound_page(const char* page, std::uint64_t number) {
  return has_right_sum(page, number) || was_never_written(page);
}

const char* checked_files() {
  // Never unregistered: connections may outlive static objects.
  static const char* const name = [] {
    static sqlite3_vfs files = *real_files();
    files.zName = "tesela";
    files.szOsFile += static_cast<int>(sizeof(CheckedFile));
    files.xOpen = open_checked;
    sqlite3_vfs_register(&files, 0);
    return files.zName;
  }();
  return name;
}

}  // namespace tesela::store
