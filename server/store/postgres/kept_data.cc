#include "server/store/postgres/kept_data.h"

#include <utility>

#include "server/store/postgres/read/node_queries.h"
#include "server/store/postgres/read/packed_logs.h"
#include "server/store/postgres/read/player_data_queries.h"
#include "server/store/postgres/read/removal_queries.h"
#include "server/store/postgres/write/archive_writes.h"
#include "server/store/postgres/write/personal_writes.h"
#include "server/store/postgres/write/removal_writes.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

awaitable<Expected<std::vector<ArchiveTask>>> KeptData::archive_tasks(std::int64_t ended_before_ms,
                                                                      std::size_t max) {
  return lists_.run<std::vector<ArchiveTask>>(
      [=](Attempt& attempt) { return postgres::archive_tasks(attempt, ended_before_ms, max); });
}

awaitable<Expected<std::uint64_t>> KeptData::archive_backlog(std::int64_t ended_before_ms) {
  return lists_.run<std::uint64_t>(
      [=](Attempt& attempt) { return postgres::archive_backlog(attempt, ended_before_ms); });
}

awaitable<Expected<void>> KeptData::archive(TableId table, std::optional<archive::PackedLog> packed,
                                            std::uint64_t snapshots_apart) {
  return writes_.run<void>([=, packed = std::move(packed)](Attempt& attempt) {
    return postgres::archive(attempt, table, packed, snapshots_apart);
  });
}

awaitable<Expected<void>> KeptData::drop_packed(TableId table) {
  return writes_.run<void>(
      [table](Attempt& attempt) { return postgres::drop_packed(attempt, table); });
}

awaitable<Expected<std::vector<EndedTable>>> KeptData::ended_tables(std::int64_t before_ms,
                                                                    std::size_t max) {
  return lists_.run<std::vector<EndedTable>>(
      [=](Attempt& attempt) { return postgres::ended_tables(attempt, before_ms, max); });
}

awaitable<Expected<std::vector<EndedTable>>> KeptData::ended_tables_after(EndedCursor after,
                                                                          std::int64_t before_ms,
                                                                          std::size_t max) {
  return lists_.run<std::vector<EndedTable>>([=](Attempt& attempt) {
    return postgres::ended_tables_after(attempt, after, before_ms, max);
  });
}

awaitable<Expected<std::vector<SilentGuest>>> KeptData::silent_guests(std::int64_t before_ms,
                                                                      std::size_t max) {
  return lists_.run<std::vector<SilentGuest>>(
      [=](Attempt& attempt) { return postgres::silent_guests(attempt, before_ms, max); });
}

awaitable<Expected<Removed>> KeptData::remove(Removal removal) {
  auto work = [removal = std::move(removal)](Attempt& attempt) {
    return remove_rows(attempt, removal);
  };
  auto rows = co_await writes_.run<Removed>(std::move(work));
  if (!rows) co_return rows;
  const auto events =
      co_await writes_.run<Removed>([](Attempt& attempt) { return remove_events(attempt); });
  if (!events) co_return events;
  rows->events = events->events;
  rows->more = events->more;
  co_return rows;
}

awaitable<Expected<void>> KeptData::erase(PlayerId player, std::int64_t at_ms,
                                          std::vector<TableId> tables) {
  return writes_.run<void>([player, at_ms, tables = std::move(tables)](Attempt& attempt) {
    return postgres::erase(attempt, player, at_ms, tables);
  });
}

awaitable<Expected<std::vector<PlayerId>>> KeptData::erased(std::size_t max) {
  return lists_.run<std::vector<PlayerId>>(
      [max](Attempt& attempt) { return postgres::erased(attempt, max); });
}

awaitable<Expected<std::vector<ScoreLine>>> KeptData::scores(PlayerId player, std::uint64_t after,
                                                             std::size_t max) {
  return lists_.run<std::vector<ScoreLine>>(
      [=](Attempt& attempt) { return postgres::scores(attempt, player, after, max); });
}

awaitable<Expected<std::vector<NodeRow>>> KeptData::nodes(std::size_t max) {
  return lists_.run<std::vector<NodeRow>>(
      [max](Attempt& attempt) { return postgres::nodes(attempt, max); });
}

}  // namespace tesela::store::postgres
