// What operators do with tables, loaded or not, and what a report of a player takes of one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/store/moderation.h"
#include "server/store/table_rows.h"
#include "server/tables/members/seating.h"

namespace tesela::directory {

/// Any thread. Must not outlive the directory.
class OperatorAccess {
 public:
  explicit OperatorAccess(Directory& directory) : directory_(directory) {}

  /// Closes a table without a result. Returns the row, which is durable and published; without
  /// effect if the table is closed already. Errors: kNotFound, kGameOver, kUnavailable, kInternal.
  boost::asio::awaitable<Expected<store::TableRow>> close(TableId id, tables::Close command);

  /// Undoes a Close that voids: the game has its result, and counts again. Without effect if the
  /// table is not closed. Errors: as `close`, kStarted (the game was not over), kCorrupt.
  boost::asio::awaitable<Expected<store::TableRow>> reopen(TableId id);

  /// Erases what names a player at the loaded tables (tables::Forget), and ends the player's
  /// streams there. Waits for tables that are being loaded. Returns these tables. Errors:
  /// kUnavailable, kInternal: then some may be unchanged.
  boost::asio::awaitable<Expected<std::vector<TableId>>> forget(PlayerId player);

  /// Gives a player another name at the loaded tables (tables::Rename). Otherwise as `forget`.
  boost::asio::awaitable<Expected<std::vector<TableId>>> rename(PlayerId player, std::string name);
  /// Gives a guest's seats at the loaded tables to an account (tables::Merge). Otherwise as
  /// `forget`.
  boost::asio::awaitable<Expected<std::vector<TableId>>> merge(PlayerId guest, PlayerId account,
                                                               std::string name);
  /// Ends a player's streams at the loaded tables, for good.
  boost::asio::awaitable<void> send_away(PlayerId player, Error why);

  /// Tells the members of the loaded tables what `frame` makes (codec::announcement_frame): it is
  /// called on each thread of tables, so that what was announced last is told last.
  boost::asio::awaitable<void> announce(std::function<codec::FramePtr()> frame);

  /// What was said at a table that is loaded here, and whether a player has a stream there.
  struct TalkAt {
    std::vector<store::ReportLine> lines{};
    bool is_there{};
  };
  boost::asio::awaitable<TalkAt> talk_at(TableId id, PlayerId player);

  /// The live state of a table; empty when it is not loaded.
  boost::asio::awaitable<std::optional<tables::LiveView>> look_at(TableId id);
  /// The tables at which a player is connected, in no order. Visits every loaded table.
  boost::asio::awaitable<std::vector<TableId>> tables_with(PlayerId player);
  /// The number of loaded tables.
  boost::asio::awaitable<std::size_t> tables_in_memory();

 private:
  boost::asio::awaitable<Expected<store::TableRow>> close_here(TableId id, tables::Close command);
  boost::asio::awaitable<Expected<store::TableRow>> close_where_stored(TableId id,
                                                                       tables::Close command);
  boost::asio::awaitable<Expected<store::TableRow>> reopen_here(TableId id);
  boost::asio::awaitable<std::optional<tables::LiveView>> look_here(TableId id);
  boost::asio::awaitable<TalkAt> talk_here(TableId id, PlayerId player);
  boost::asio::awaitable<Expected<std::vector<TableId>>> apply(PlayerId player,
                                                               tables::SeatCommand command);
  boost::asio::awaitable<Expected<void>> apply_here(TableId id, tables::SeatCommand command);
  /// Calls `look` with each shard, on the shard's thread.
  boost::asio::awaitable<void> look_around(std::function<void(const Directory::Shard&)> look);

  Directory& directory_;
};

}  // namespace tesela::directory
