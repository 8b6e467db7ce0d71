// Packed logs of the versions before the first release.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/base/text_encoding.h"

namespace tesela::upgrade {

/// A row of `archives`, as those versions wrote it.
struct OldPackedLog {
  std::int64_t format{};
  std::int64_t events{};
  std::int64_t bytes{};
  std::string hash{};
  std::string data{};
};

/// Packs the same records as archive::pack does. Executes the game to compute their digests.
/// Errors: kCorrupt when the row is none that those versions wrote; those of execution::digests_of
/// and archive::pack. Pure: any thread.
[[nodiscard]] Expected<archive::PackedLog> repack(const OldPackedLog& old);

/// The sentence for Upgrade::unreadable.
[[nodiscard]] inline std::string unreadable(TableId table, const Error& error) {
  return "the log of table " + base::to_text(table) +
         " cannot be read and stays as it is: " + error.message;
}

}  // namespace tesela::upgrade
