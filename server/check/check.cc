#include "server/check/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/base/text_encoding.h"
#include "server/check/game_check.h"
#include "server/store/boards.h"

namespace tesela::check {
namespace {

using boost::asio::awaitable;
using store::migration::Relation;
using store::sql::Row;

/// Read table by table.
constexpr std::array<std::string_view, 2> kOfGames{"events", "snapshots"};

class Check {
 public:
  Check(Data& data, std::function<void(const std::string&)> on_damage)
      : data_(data), on_damage_(std::move(on_damage)) {}

  awaitable<Expected<Checked>> run() {
    const std::vector<std::string> found = co_await data_.damage();
    for (const std::string& sentence : found) tell(sentence);
    for (const Relation& relation : store::migration::relations()) {
      if (std::ranges::find(kOfGames, relation.name) != kOfGames.end()) continue;
      const std::function<void(Row)> on_row = [&](Row row) { look_at(relation, row); };
      const auto read = co_await data_.read(relation, on_row);
      if (read) continue;
      if (read.error().code != ErrorCode::kCorrupt) co_return std::unexpected(read.error());
      tell(relation.name + " cannot be read to the end: " + read.error().message);
    }
    for (const TableId id : tables_) {
      const auto checked = co_await check_table(id);
      if (!checked) co_return std::unexpected(checked.error());
    }
    co_return checked_;
  }

 private:
  void tell(const std::string& sentence) {
    ++checked_.damaged;
    on_damage_(sentence);
  }

  void look_at(const Relation& relation, Row row) {
    ++checked_.rows;
    if (relation.name == "tables") tables_.push_back(row.id<TableId>(0));
    if (relation.name == "archives") return look_at_packed_log(row);
    if (relation.name == "ratings") look_at_rating(row);
  }

  void look_at_packed_log(Row row) {
    // table_id, format, events, bytes, hash, data
    const archive::PackedLog log{.format = static_cast<archive::PackedFormat>(row.number(1)),
                                 .events = static_cast<std::uint64_t>(row.number(2)),
                                 .bytes = static_cast<std::uint64_t>(row.number(3)),
                                 .hash = row.text(4),
                                 .data = row.text(5)};
    if (const auto records = archive::unpack(log); !records) {
      tell("table " + base::to_text(row.id<TableId>(0)) + ": " + records.error().message);
    }
  }

  void look_at_rating(Row row) {
    // game, player_id, mu, sigma, games, points, at_ms, opponents
    const store::RatingRow rating{.player = row.id<PlayerId>(1),
                                  .rating = {.mu = row.real(2), .sigma = row.real(3)},
                                  .opponents = static_cast<std::uint32_t>(row.number(7))};
    const bool fits = std::isfinite(rating.rating.mu) && rating.rating.sigma > 0 &&
                      points_of(rating) == row.number(5);
    if (!fits) {
      tell("the rating of player " + base::to_text(rating.player) + " in " + row.text(0) +
           " is damaged: its points are not those of its estimate");
    }
  }

  awaitable<Expected<void>> check_table(TableId id) {
    const std::string name = "table " + base::to_text(id) + ": ";
    const auto row = co_await data_.table(id);
    if (!row) {
      // It was deleted meanwhile.
      if (row.error().code == ErrorCode::kNotFound) co_return Expected<void>{};
      if (row.error().code != ErrorCode::kCorrupt) co_return std::unexpected(row.error());
      tell(name + row.error().message);
      co_return Expected<void>{};
    }
    ++checked_.tables;
    const auto found = co_await damage_of_game(data_.games(), *row);
    if (!found) co_return std::unexpected(found.error());
    for (const std::string& sentence : *found) tell(name + sentence);
    co_return Expected<void>{};
  }

  Data& data_;
  const std::function<void(const std::string&)> on_damage_;
  std::vector<TableId> tables_;
  Checked checked_;
};

}  // namespace

awaitable<Expected<Checked>> check(Data& data, std::function<void(const std::string&)> on_damage) {
  Check work(data, std::move(on_damage));
  co_return co_await work.run();
}

}  // namespace tesela::check
