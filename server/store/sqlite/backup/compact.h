// Makes the database of a data folder as small as what is in it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/core/result.h"

namespace tesela::store {

/// The size of the database in bytes.
struct Compacted {
  std::uintmax_t before{};
  std::uintmax_t after{};
};

/// Writes the database of a locked folder anew: without its unused pages, and with sums of its
/// pages (checked_files.h). The new file is checked and durable before it takes the place of the
/// old one; until then nothing changes. It needs room for both. Errors, each a sentence for the
/// operator: kCorrupt (the database is damaged, or another program's), kUnavailable (another
/// program uses it, it is a newer Tesela's, or the disk refuses).
[[nodiscard]] Expected<void> write_anew(const std::filesystem::path& data);

/// The same for a folder on which no server runs. Errors: those; kNotFound (there is no database),
/// kUnavailable (a server runs on the folder).
[[nodiscard]] Expected<Compacted> compact(const std::filesystem::path& data);

}  // namespace tesela::store
