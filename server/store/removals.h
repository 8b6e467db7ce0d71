// What is looked at before data is deleted that nobody needs any more, and the deleting of it.
// Which data that is decides server/retention.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::store {

/// A person with a seat at an ended table.
struct PersonAt {
  PlayerId player;
  bool registered{};            // no guest
  bool rated{};                 // has a rating in any game
  std::int64_t last_sign_ms{};  // as SilentGuest::last_sign_ms; only in SilentGuest::tables

  friend bool operator==(const PersonAt&, const PersonAt&) = default;
};

/// A table that is over or closed, as far as it counts for deleting it.
struct EndedTable {
  TableId id;
  std::int64_t ended_ms{};
  bool closed{};                   // without a result
  bool begun{};                    // all seats were taken, and the game has begun
  bool daily{};                    // a try at a daily game
  bool on_board{};                 // a line of a board names it
  std::string options{};           // an encoded tesela.lobby.v1.TableOptions
  std::vector<PersonAt> people{};  // without bots

  friend bool operator==(const EndedTable&, const EndedTable&) = default;
};

/// The last table of a page, in the order of (ended_ms, id).
struct EndedCursor {
  std::int64_t ended_ms{};
  TableId id;

  friend bool operator==(const EndedCursor&, const EndedCursor&) = default;
};

/// A guest whose last known sign of life is old.
struct SilentGuest {
  PlayerId id;
  /// The latest of: the sign-in, a renewed token, the making and the end of the newest table.
  std::int64_t last_sign_ms{};
  bool rated{};
  bool on_board{};  // a line of a board is the guest's
  bool more{};      // has more such tables than `tables`
  /// Those that are over, with the guest's seat, newest first, without tries at a daily game and
  /// those that a line of a board names: many of these would hide the others.
  std::vector<EndedTable> tables{};
};

/// A guest who stays: looked at again when `seen_ms`, or a later sign of life, is old.
struct KeptGuest {
  PlayerId id;
  std::int64_t seen_ms{};
};

/// One step of deleting.
struct Removal {
  std::vector<TableId> tables{};
  std::vector<PlayerId> guests{};
  /// Guests with a sign of life since then (Unix time in milliseconds) stay.
  std::int64_t silent_since_ms{};
  std::vector<KeptGuest> kept{};
  /// Tables until here need not be looked at again.
  std::optional<EndedCursor> looked_until{};
  /// Of the challenges that have expired by then, limits::kRemovedChallengesAtOnce go.
  std::int64_t now_ms{};
  /// Of the reports that were closed before, limits::kRemovedReportsAtOnce go; none: 0.
  std::int64_t reports_closed_before_ms{};
};

/// What a step has done.
struct Removed {
  std::size_t tables{};
  std::size_t guests{};
  std::size_t events{};
  std::size_t reports{};
  std::size_t challenges{};
  std::size_t pages{};  // given back to the file system
  bool postponed{};  // a table has events that are not compacted yet, or is held by another write
  bool more{};       // events of deleted tables, or unused pages, are left
  /// After it, and when the first of them was made; 0 without one. At most
  /// limits::kOpenReportsCounted.
  std::size_t open_reports{};
  std::int64_t first_open_report_ms{};
};

/// Threading and errors as in EventLog.
class Removals {
 public:
  virtual ~Removals() = default;

  /// At most `max` tables that ended before `before_ms` (Unix time in milliseconds), the earliest
  /// first: those after `after`, or without it those that were not looked at yet.
  virtual boost::asio::awaitable<Expected<std::vector<EndedTable>>> ended_tables(
      std::optional<EndedCursor> after, std::int64_t before_ms, std::size_t max) = 0;

  /// At most `max` guests without a known sign of life since `before_ms`, the longest silent first.
  /// A last_sign_ms may be later: then the guest is not silent.
  virtual boost::asio::awaitable<Expected<std::vector<SilentGuest>>> silent_guests(
      std::int64_t before_ms, std::size_t max) = 0;

  /// Deletes tables with everything that belongs to them, and guests, in one transaction; then up
  /// to limits::kRemovedEventsAtOnce events of tables that were deleted, and gives up to
  /// limits::kReturnedPagesAtOnce unused pages back. A table that is not over or closed, or that a
  /// line of a board names, and a guest whom a table or a line names or who has come meanwhile, are
  /// not deleted; such a guest becomes a kept one. A deleted table does not exist for any call from
  /// then on.
  virtual boost::asio::awaitable<Expected<Removed>> remove(Removal removal) = 0;
};

}  // namespace tesela::store
