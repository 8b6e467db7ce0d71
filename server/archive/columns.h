// Events of a game to and from columns (proto/tesela/log/v1/packed.proto). Pure: any thread.
#pragma once

#include <tesela/log/v1/packed.pb.h>

#include <optional>
#include <span>
#include <vector>

#include "engine/core/ids.h"
#include "server/codec/record.h"

namespace tesela::archive {

/// The records from version `first` on, without their digests. That of version 1 is a Created, and
/// no other.
[[nodiscard]] log::v1::PackedEvents to_columns(std::span<const codec::Record> records,
                                               Version first);
/// The other way, at least one record; every digest is 0. Takes columns of any origin: empty for
/// those that `to_columns` does not return for `count` records.
[[nodiscard]] std::optional<std::vector<codec::Record>> from_columns(
    const log::v1::PackedEvents& columns, Version first, std::size_t count);

}  // namespace tesela::archive
