#include "tests/played/played_game.h"

#include <google/protobuf/any.pb.h>
#include <tesela/game/v1/g2048.pb.h>
#include <tesela/lobby/v1/table_options.pb.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "engine/core/rng.h"
#include "engine/strategy/strategy.h"
#include "server/games/games.h"
#include "server/replay/start_game.h"

namespace tesela::played {
namespace {

template <class T>
T need(Expected<T> value) {
  if (!value) throw std::runtime_error(value.error().message);
  return std::move(*value);
}

std::string random_digits(std::mt19937_64& random, std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits(count, '0');
  for (char& digit : digits) digit = kDigits[random() % kDigits.size()];
  return digits;
}

std::string random_bytes(std::mt19937_64& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() & 0xffU);
  return bytes;
}

store::TableRow row_of(const Plan& plan, std::mt19937_64& random) {
  const auto* game = need(games::find_game(plan.game));
  google::protobuf::Any any;
  const bool given = any.ParseFromString(plan.config) && !plan.config.empty();
  const auto config = need(game->configure(given ? &any : nullptr));
  lobby::v1::TableOptions options;
  options.set_ranked(config.seats > 1);
  options.set_practice(plan.practice);
  return {.id = {},
          .game = plan.game,
          .config = config.any,
          .options = options.SerializeAsString(),
          .seed = random_bytes(random, 32),
          .seat_count = config.seats,
          .seats = {},
          .epoch = Epoch{1},
          .created_ms = plan.at_ms,
          .ending = std::nullopt};
}

/// One game while it is played.
class Course {
 public:
  Course(const Plan& plan, std::mt19937_64& random)
      : plan_(plan), random_(random), dice_(seed_of(random)), at_ms_(plan.at_ms) {
    game_.table = row_of(plan, random);
    auto started = need(replay::start_game(game_.table, at_ms_));
    match_ = std::move(started.match);
    game_.records.push_back(need(codec::decode_record(started.record)));
    remember();
  }

  PlayedGame played() {
    while (const auto turn = match_->turn()) {
      if (game_.records.size() > plan_.moves_max) break;
      if (plan_.practice && standing_.size() > 1 && random_() % 8 == 0) {
        take_back();
      } else {
        move(*turn);
      }
    }
    game_.result = match_->final_result();
    return std::move(game_);
  }

 private:
  static Seed seed_of(std::mt19937_64& random) {
    Seed seed{};
    std::ranges::generate(seed, [&] { return static_cast<std::uint8_t>(random()); });
    return seed;
  }

  [[nodiscard]] Version next_version() const { return Version{game_.records.size() + 1}; }

  /// People take about as long for most moves, and far longer for some.
  std::int64_t pass_time() {
    std::lognormal_distribution<double> time(std::log(plan_.pace_ms), 0.6);
    const auto spent = static_cast<std::int64_t>(time(random_));
    at_ms_ += spent;
    return spent;
  }

  void move(Seat seat) {
    auto search = need(match_->search_task(plan_.strategy, seat, plans_[seat.value]));
    auto reply = search(dice_, Budget{.nodes = 100});
    plans_[seat.value] = std::move(reply.plan);
    const std::int64_t spent = pass_time();
    const std::string& bot = plan_.bots.at(seat.value);
    const Version version = next_version();
    codec::Moved moved{
        .seat = seat,
        .move_id = bot.empty() ? plan_.ids(seat, version) : "bot-" + std::to_string(version.value),
        .move = {},
        .strategy = bot,
        .spent_ms = plan_.clocked ? spent : 0};
    auto played =
        need(match_->play(stamp(seat, moved.move_id), reply.move, games::Want::kPosition));
    moved.move = std::move(played.move);
    add(std::move(moved), played.digest);
    standing_.push_back(version);
    remember();
  }

  void take_back() {
    standing_.pop_back();
    pass_time();
    codec::Undone undone{.move_id = plan_.ids(Seat{0}, next_version()), .to = standing_.back()};
    const auto played = need(match_->go_back(stamp(Seat{0}, undone.move_id), undone.to,
                                             *positions_.at(undone.to), games::Want::kPosition));
    add(std::move(undone), played.digest);
    plans_ = {};
  }

  [[nodiscard]] games::Stamp stamp(Seat seat, std::string_view move_id) const {
    return {.version = next_version(),
            .at = base::Moment::logged(at_ms_),
            .seat = seat,
            .move_id = move_id};
  }

  void add(codec::Event event, std::uint64_t digest) {
    match_->commit();
    game_.records.push_back({.at_ms = at_ms_, .event = std::move(event), .digest = digest});
  }

  void remember() {
    if (plan_.practice) positions_[Version{game_.records.size()}] = match_->copy();
  }

  const Plan& plan_;
  std::mt19937_64& random_;
  Rng dice_;  // of the strategy
  std::int64_t at_ms_;
  PlayedGame game_;
  std::unique_ptr<games::Match> match_;
  std::array<games::Plan, 4> plans_;
  std::vector<Version> standing_{Version{1}};
  std::map<Version, std::unique_ptr<games::Match>> positions_;  // for moves that are taken back
};

}  // namespace

MoveIds counted_ids(std::mt19937_64& random) {
  // One session for each seat.
  std::array<std::string, 4> sessions;
  for (std::string& session : sessions) session = random_digits(random, 16) + "-";
  return [sessions, counts = std::array<std::uint64_t, 4>{}](Seat seat, Version) mutable {
    return sessions.at(seat.value) + std::to_string(++counts.at(seat.value));
  };
}

MoveIds random_ids(std::mt19937_64& random) {
  return
      [own = std::mt19937_64(random())](Seat, Version) mutable { return random_digits(own, 32); };
}

MoveIds version_ids() {
  return [](Seat, Version version) { return std::to_string(version.value - 1); };
}

std::string large_2048() {
  game::v1::Game2048Config config;
  config.set_size(8);
  google::protobuf::Any any;
  any.PackFrom(config);
  return any.SerializeAsString();
}

std::vector<std::string> PlayedGame::encoded() const {
  std::vector<std::string> bytes;
  bytes.reserve(records.size());
  for (const codec::Record& record : records) bytes.push_back(codec::encode(record));
  return bytes;
}

PlayedGame play(const Plan& plan, std::mt19937_64& random) {
  return Course(plan, random).played();
}

}  // namespace tesela::played
