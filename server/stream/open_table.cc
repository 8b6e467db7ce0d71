#include "server/stream/open_table.h"

#include <utility>

namespace tesela::stream {

boost::asio::awaitable<OpenTable> open_table(directory::Directory& directory,
                                             store::Friends& friends, TableId id,
                                             quota::QuotaPtr from, std::optional<PlayerId> player) {
  auto table = co_await directory.open(id, std::move(from), player);
  OpenTable opened{.table = std::move(table)};
  if (!opened.table || !player || !(*opened.table)->talks()) co_return opened;
  auto blocked = co_await friends.blocked_by(*player);
  if (blocked) {
    opened.blocked = *std::move(blocked);
  } else {
    opened.table = std::unexpected(std::move(blocked.error()));
  }
  co_return opened;
}

void introduce(tables::Table& table, tables::MemberId member, std::vector<PlayerId> blocked,
               const codec::Announcement& announcement) {
  table.block(member, std::move(blocked));
  if (!announcement.text.empty()) table.send(member, codec::announcement_frame(announcement));
}

}  // namespace tesela::stream
