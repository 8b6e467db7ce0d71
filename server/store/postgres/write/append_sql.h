// How events are appended, and how it is found out what has become of an append.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/event_log.h"
#include "server/store/postgres/connection/binary.h"

namespace tesela::store::postgres {

/// An append and how it goes.
struct Appending {
  Append append;
  /// An earlier try may have been committed.
  bool again{};
  Expected<void> outcome{};
};

/// Adds the statement that appends events of different tables, sorted by table.
void add_appends(Batch& batch, std::span<const Appending* const> appends);

/// Those of the appends that the statement has not stored: the head of their table was another one.
[[nodiscard]] std::vector<Appending*> not_stored(const Rows& appended,
                                                 std::span<Appending* const> appends);

/// The number of statements that add_questions adds.
inline constexpr std::size_t kQuestions = 2;
/// Adds the statements that find out why these were not stored. They wait for transactions in
/// flight at these tables and for the standby: what they find is as durable as a commit.
void add_questions(Batch& batch, std::span<Appending* const> appends);
/// Sets the outcomes: success for what an earlier try has stored, otherwise kFenced or kNotFound.
void judge(const Rows& heads, const Rows& events, std::span<Appending* const> appends);

}  // namespace tesela::store::postgres
