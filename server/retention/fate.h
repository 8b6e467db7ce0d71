// Which tables and guests are deleted: pure functions. The rules in words are in server/README.md
// ("Data that ends").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/removals.h"

namespace tesela::retention {

/// What becomes of an ended table once it is old.
enum class Fate : std::uint8_t {
  kStays,          // for ever
  kGoes,           // is deleted
  kWithItsGuests,  // is deleted when all who played there are silent guests
};

[[nodiscard]] Fate fate_of(const store::EndedTable& table);

/// The ages from which data is old; empty: nothing is.
struct Before {
  std::optional<std::int64_t> games_ms;  // the end of a game, Unix time in milliseconds
  std::int64_t guests_ms{};              // the last sign of life of a guest
};

/// The decision about a guest.
struct GuestVerdict {
  std::vector<TableId> tables{};  // that are deleted
  bool goes{};                    // has nothing left: is deleted
  bool stays{};                   // is kept, and looked at again later
  /// Of a silent guest who stays: the last sign of life of another guest, with whom an old game may
  /// go, so that both are looked at in one step. Empty: there is none.
  std::optional<std::int64_t> waits_for_ms{};
};

/// A guest who has tables to delete neither goes nor stays: the next step decides. A line on a
/// board keeps its guest, and of the guest's games the one that it names.
[[nodiscard]] GuestVerdict verdict_on(const store::SilentGuest& guest, const Before& before);

}  // namespace tesela::retention
