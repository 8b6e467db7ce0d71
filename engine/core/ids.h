// Ids and counters are types of their own: a version is never passed where an epoch is meant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace tesela {

/// A number of a type of its own, without implicit conversions. Zero by default.
template <class Tag, class Rep>
struct Strong {
  using rep = Rep;
  Rep value{};

  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;
};

/// A place at a table, from 0.
using Seat = Strong<struct SeatTag, std::uint8_t>;
/// An event of a table: 1 is its creation, then 2, 3, 4 … without gaps. 0 means "none yet".
using Version = Strong<struct VersionTag, std::uint64_t>;
/// The number of a table's owner, raised each time a process takes the table over. Appends of
/// earlier owners are refused.
using Epoch = Strong<struct EpochTag, std::uint64_t>;
/// A table. Random, never 0; at most 2^63 - 1, so that SQL integers hold it.
using TableId = Strong<struct TableTag, std::uint64_t>;
/// A player. Random, never 0; at most 2^63 - 1.
using PlayerId = Strong<struct PlayerTag, std::uint64_t>;
/// A sign-in of a player at one device. Random, never 0; at most 2^63 - 1.
using SessionId = Strong<struct SessionTag, std::uint64_t>;
/// A report of a player by another one, and an operator's act on a player. Random, never 0; at most
/// 2^63 - 1.
using ReportId = Strong<struct ReportTag, std::uint64_t>;
using ActId = Strong<struct ActTag, std::uint64_t>;
/// A search for opponents. Random, never 0; at most 2^63 - 1.
using TicketId = Strong<struct TicketTag, std::uint64_t>;

/// The version after `v`.
[[nodiscard]] constexpr Version next(Version v) {
  return Version{v.value + 1};
}

}  // namespace tesela

template <class Tag, class Rep>
struct std::hash<tesela::Strong<Tag, Rep>> {
  std::size_t operator()(const tesela::Strong<Tag, Rep>& id) const noexcept {
    return std::hash<Rep>{}(id.value);
  }
};
