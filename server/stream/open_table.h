// The table of a stream that begins.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/said_frame.h"
#include "server/directory/directory.h"
#include "server/quota/admission_control.h"
#include "server/store/friends.h"

namespace tesela::stream {

/// A table, and what its talk needs to know of the stream's player.
struct OpenTable {
  Expected<std::shared_ptr<tables::Table>> table;
  std::vector<PlayerId> blocked{};  // who is not heard
};

/// Opens the table as Directory::open does, whose errors it has; also those of Friends::blocked_by.
/// On the table's context.
[[nodiscard]] boost::asio::awaitable<OpenTable> open_table(directory::Directory& directory,
                                                           store::Friends& friends, TableId id,
                                                           quota::QuotaPtr from,
                                                           std::optional<PlayerId> player);

/// What a new member is not to hear, and what it is told.
void introduce(tables::Table& table, tables::MemberId member, std::vector<PlayerId> blocked,
               const codec::Announcement& announcement);

}  // namespace tesela::stream
