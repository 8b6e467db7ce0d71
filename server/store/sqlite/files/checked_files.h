// SQLite's file system, with sums that show what a disk has changed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesela::store {

/// The size of a page of a new database: measured, see FORMAT.md.
inline constexpr std::size_t kPageBytes = 4096;

/// The bytes at the end of each page that SQLite leaves to the file system: they hold the sum of
/// the page and its number. A database without them has no sums.
inline constexpr int kPageSumBytes = 8;

/// The name of SQLite's default file system (sqlite3_vfs) but for
///   - databases, when their pages have sums (page_sums.h): each page is summed when it is written,
///     and checked when it is read;
///   - write-ahead logs: a page that is read from one is checked by the sum of its frame, which
///     continues that of the frame before.
/// A page that is not as it was written is SQLITE_CORRUPT, with an extended code. Databases are
/// never mapped into memory. Only for pages of kPageBytes. Any thread.
[[nodiscard]] const char* checked_files();

/// Whether a page of a database with sums, of kPageBytes, is as it was written. Pages are counted
/// from 1.
[[nodiscard]] bool is_sound_page(const char* page, std::uint64_t number);

/// SQLITE_FCNTL: whether pages are summed that are written to a database whose first page was not
/// written yet; the argument is a bool.
inline constexpr int kSetPageSums = 0x7e5e1a;

}  // namespace tesela::store
