// Reads all data of a server and finds damage.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "engine/core/result.h"
#include "server/check/data.h"

namespace tesela::check {

struct Checked {
  std::uint64_t tables{};
  std::uint64_t rows{};  // of players, tables, seats, ratings, boards and what else is no log
  std::uint64_t damaged{};
};

/// Reads all rows, executes all logs with their digests, restores all snapshots, and compares
/// ratings with their definition. Calls `on_damage` with a sentence for each thing that is damaged,
/// and goes on. Error: kUnavailable, when the data cannot be read to the end.
boost::asio::awaitable<Expected<Checked>> check(Data& data,
                                                std::function<void(const std::string&)> on_damage);

}  // namespace tesela::check
