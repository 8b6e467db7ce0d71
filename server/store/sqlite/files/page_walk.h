// Finds the damaged pages of a database, those that SQLite does not read among them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tesela::store {

/// The numbers, from 1, of the pages of a database with sums (checked_files.h) that are not as they
/// were written; without those that its write-ahead log replaces. Of a database that nobody writes.
[[nodiscard]] std::vector<std::uint64_t> damaged_pages(const std::filesystem::path& database);

}  // namespace tesela::store
