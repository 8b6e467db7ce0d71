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

/// Writes the database anew, without its unused pages, and so that a server can give unused pages
/// back from then on (PRAGMA auto_vacuum), which databases from before schema 6 cannot. The new
/// file is checked and durable before it takes the place of the old one; until then nothing
/// changes. It needs room for both. Errors, each a sentence for the operator: kNotFound (there is
/// no database), kCorrupt (it is damaged, or another program's), kUnavailable (a server runs on the
/// folder, the database is a newer Tesela's, or the disk refuses).
[[nodiscard]] Expected<Compacted> compact(const std::filesystem::path& data);

}  // namespace tesela::store
