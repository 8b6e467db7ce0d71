#include "tests/sim/players/people.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "clients/cli/client/server_stream.h"
#include "server/base/limits.h"
#include "tesela/game/v1/azul.pb.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tesela/game/v1/g2248.pb.h"
#include "tesela/game/v1/samegame.pb.h"
#include "tesela/lobby/v1/matchmaking.pb.h"
#include "tests/sim/truth.h"

namespace tesela::sim {
namespace {

using cli::kResult;
using cli::Task;
using std::chrono::milliseconds;

constexpr milliseconds kRetry{200};
constexpr std::uint64_t kHelloDelayMax = 9000;  // ms; a server waits for ten seconds

google::protobuf::Any config_of(const std::string& game, std::uint32_t seats) {
  google::protobuf::Any any;
  if (game == "2048") {
    game::v1::Game2048Config config;
    config.set_size(3);
    any.PackFrom(config);
  } else if (game == "2248") {
    game::v1::Game2248Config config;
    config.set_rows(4);
    config.set_columns(4);
    any.PackFrom(config);
  } else if (game == "samegame") {
    game::v1::SameGameConfig config;
    config.set_rows(8);
    config.set_columns(8);
    config.set_colours(3);
    any.PackFrom(config);
  } else {
    game::v1::AzulConfig config;
    config.set_players(seats);
    any.PackFrom(config);
  }
  return any;
}

}  // namespace

Task<void> Person::pause(milliseconds time) {
  cli::Timer timer(executor_, time);
  co_await timer.async_wait(kResult);
}

Task<bool> Person::sign_in() {
  while (!stops_) {
    auto signed_in = co_await lobby_.sign_in(name_);
    if (signed_in) {
      token_ = signed_in->token();
      player_id_ = signed_in->player_id();
      lobby_.authorise(token_);
      co_return true;
    }
    trouble_ = signed_in.error().message;
    co_await pause(kRetry);
  }
  co_return false;
}

Task<bool> Person::contribute(cli::LobbyClient& lobby, std::string table, std::string player) {
  const std::string bytes = std::to_string(Kernel::active()->draw());
  while (!stops_) {
    const auto done = co_await lobby.contribute(table, bytes);
    if (done) Truth::get().of(table).dice[player] = bytes;
    if (done) co_return true;
    trouble_ = done.error().message;
    if (!passes(done.error().code)) co_return false;
    co_await pause(kRetry);
  }
  co_return false;
}

// --- Gambler

Task<std::string> Gambler::new_table() {
  lobby::v1::CreateTableRequest request;
  request.set_game(plan_.game);
  *request.mutable_config() = config_of(plan_.game, plan_.people + plan_.bots);
  request.mutable_options()->set_bot_pace_ms(200);
  request.mutable_options()->set_practice(plan_.habits.regrets);
  request.set_contribute_later(plan_.habits.asks);
  if (plan_.move_ms > 0) request.mutable_options()->mutable_clock()->set_move_ms(plan_.move_ms);
  for (std::uint32_t i = 0; i < plan_.bots; ++i) request.add_bots()->set_strategy("random");
  while (!stops_) {
    auto table = co_await lobby_.create_table(request);
    if (table) co_return table->table_id();
    trouble_ = table.error().message;
    co_await pause(kRetry);
  }
  co_return std::string{};
}

/// The others sit down.
Task<bool> Gambler::fill(const std::string& table) {
  for (std::uint32_t i = 1; i < plan_.people; ++i) {
    cli::LobbyClient other(server_);
    if (accounts_.size() == i) {
      auto signed_in = co_await other.sign_in(name_ + "." + std::to_string(i));
      if (!signed_in) co_return false;
      accounts_.push_back({signed_in->token(), signed_in->player_id()});
    }
    other.authorise(accounts_[i].token);
    // Whether an earlier answer was lost is told by the next one: who sits there is told so again.
    bool joined = false;
    for (int tries = 0; tries < 50 && !joined && !stops_; ++tries) {
      auto sat = co_await other.join_table(table, "");
      joined = sat.has_value();
      if (joined) break;
      trouble_ = sat.error().message;
      co_await pause(kRetry);
    }
    if (!joined) co_return false;
  }
  co_return true;
}

/// Of several players some let the others wait for it in vain.
Task<bool> Gambler::add_to_dice(const std::string& table) {
  withholds_ = false;
  for (const Account& account : accounts_) {
    if (plan_.people > 1 && Kernel::active()->draw(4) == 0) {
      withholds_ = true;
      continue;
    }
    cli::LobbyClient lobby(server_);
    lobby.authorise(account.token);
    const bool added = co_await contribute(lobby, table, account.player_id);
    if (!added && plan_.people == 1) co_return false;
  }
  co_return true;
}

Task<std::string> Gambler::rematch(const std::string& over) {
  std::string table;
  for (const Account& account : accounts_) {
    cli::LobbyClient lobby(server_);
    lobby.authorise(account.token);
    for (;;) {
      const auto next = co_await lobby.rematch_table(over);
      if (next && !table.empty() && table != next->table_id()) {
        violated("twice",
                 "table " + over + " has the rematches " + table + " and " + next->table_id());
      }
      if (next) {
        table = next->table_id();
        break;
      }
      trouble_ = next.error().message;
      if (stops_ || !passes(next.error().code)) co_return std::string{};
      co_await pause(kRetry);
    }
  }
  co_return table;
}

Task<void> Gambler::sit(SeatedPlayer& player) {
  co_await player.play();
  --playing_;
}

Task<void> Gambler::play() {
  const bool signed_in = co_await sign_in();
  accounts_.push_back({token_, player_id_});
  std::string again;
  while (signed_in && !stops_) {
    std::string table = std::exchange(again, {});
    bool awaits_dice = true;
    if (table.empty()) {
      table = co_await new_table();
      if (table.empty()) break;
      const bool full = co_await fill(table);
      if (!full) continue;
      awaits_dice = plan_.people > 1 || plan_.habits.asks;
    }
    if (awaits_dice) {
      const bool added = co_await add_to_dice(table);
      if (!added) continue;
    }
    co_await play_at(table);
    if (!stops_ && Kernel::active()->draw(3) != 0) again = co_await rematch(table);
  }
  ended_ = true;
}

Task<void> Gambler::play_at(const std::string& table) {
  players_.clear();
  for (std::size_t i = 0; i < plan_.people; ++i) {
    players_.push_back(std::make_unique<SeatedPlayer>(
        executor_, server_, table, accounts_[i].token,
        name_ + (i == 0 ? "" : "." + std::to_string(i)) + "@" + table, plan_.habits));
  }
  playing_ = players_.size();
  for (auto& player : players_) {
    boost::asio::co_spawn(executor_, sit(*player), boost::asio::detached);
  }
  while (playing_ > 0) co_await pause(kRetry);
  for (auto& player : players_) before_ += player->moves();
  // One that never began may be closed: it is old by a clock that was set.
  const bool begun = Truth::get().of(table).shown > 0;
  for (auto& player : players_) {
    if (begun && !player->over() && !stops_) {
      violated("unserved", "table " + table + " is over for its player: " + player->trouble());
    }
  }
  players_.clear();
}

milliseconds Gambler::thinks() const {
  milliseconds time = plan_.people * plan_.habits.rest_max();
  if (withholds_) time += limits::kContributionTimeMax;
  return time;
}

void Gambler::stop() {
  Person::stop();
  for (auto& player : players_) player->leave();
}

std::uint64_t Gambler::progress() const {
  std::uint64_t moves = before_;
  for (const auto& player : players_) moves += player->moves();
  return moves;
}

std::string Gambler::standing() const {
  std::string text = plan_.game + ": " + trouble_;
  for (const auto& player : players_) text += "; " + player->standing();
  return text;
}

// --- Seeker

Task<std::string> Seeker::find() {
  lobby::v1::FindRequest request;
  request.set_game("azul");
  *request.mutable_config() = config_of("azul", 2);
  request.set_contribute_later(true);
  if (plan_.ranked) request.set_mode(lobby::v1::MODE_RANKED);
  if (plan_.ranked) request.mutable_bots()->mutable_after()->set_seconds(4);
  if (!plan_.party.empty()) {
    request.mutable_party()->set_code(plan_.party);
    request.mutable_party()->set_size(2);
    request.set_pace(lobby::v1::PACE_DAYS);
  }
  std::unique_ptr<cli::ServerStream> stream;
  while (!stops_) {
    const auto older = std::exchange(stream, std::make_unique<cli::ServerStream>(server_, token_));
    auto begun = co_await stream->start("MatchmakingService/Find", request.SerializeAsString());
    while (begun && !stops_) {
      const auto bytes = co_await stream->next();
      if (!bytes) {
        trouble_ = bytes.error().message;
        break;
      }
      if (!*bytes) break;
      lobby::v1::FindResponse news;
      if (!news.ParseFromString(**bytes)) break;
      if (news.has_matched()) co_return news.matched().table().table_id();
      if (Kernel::active()->draw(8) == 0) break;  // with another call, while this one goes on
    }
    if (!begun) trouble_ = begun.error().message;
    co_await pause(kRetry);
  }
  co_return std::string{};
}

Task<void> Seeker::play() {
  const bool signed_in = co_await sign_in();
  while (signed_in && !stops_) {
    searches_ = true;
    const std::string table = co_await find();
    searches_ = false;
    if (table.empty()) break;
    ++found_;
    if (Kernel::active()->draw(2) == 0) {
      static_cast<void>(co_await contribute(lobby_, table, player_id_));
    }
    player_ = std::make_unique<SeatedPlayer>(executor_, server_, table, token_, name_ + "@" + table,
                                             plan_.habits);
    co_await player_->play();
    before_ += player_->moves();
    player_.reset();
  }
  ended_ = true;
}

void Seeker::stop() {
  Person::stop();
  if (player_) player_->leave();
}

std::uint64_t Seeker::progress() const {
  return before_ + found_ + (player_ ? player_->moves() : 0);
}

std::string Seeker::standing() const {
  if (searches_) return "searches: " + trouble_;
  return player_ ? player_->standing() : "nowhere";
}

// --- Witnesses

Task<void> Witness::play() {
  while (!stops_) {
    co_await pause(milliseconds{50 + Kernel::active()->draw(200)});
    const std::vector<std::string> tables = Truth::get().in_play();
    ++visits_;
    if (tables.empty()) continue;
    const std::string& table = tables[Kernel::active()->draw(tables.size())];
    SeatedPlayer visitor(executor_, server_, table, "", name_, {});
    const bool knows = Kernel::active()->draw(2) == 0;
    // Some have opened their stream long before: an owner may have changed since.
    const milliseconds later{waits_ ? Kernel::active()->draw(kHelloDelayMax) : 0};
    co_await visitor.visit(knows, later, milliseconds{150});
  }
  ended_ = true;
}

// --- Watchers of the lobby

std::string LobbyWatcher::in_words(const lobby::v1::Table& table) {
  std::string text = std::to_string(table.state());
  for (const auto& seat : table.seats()) text += " " + seat.player_id() + ":" + seat.strategy();
  return text;
}

Task<void> LobbyWatcher::play() {
  const bool signed_in = co_await sign_in();
  while (signed_in && !stops_) {
    told_.clear();
    cli::ServerStream stream(server_, token_);
    lobby::v1::WatchTablesRequest request;
    auto begun = co_await stream.start("LobbyService/WatchTables", request.SerializeAsString());
    while (begun && !stops_) {
      const auto bytes = co_await stream.next();
      if (!bytes || !*bytes) {
        if (!bytes) trouble_ = bytes.error().message;
        break;
      }
      lobby::v1::WatchTablesResponse news;
      if (!news.ParseFromString(**bytes)) break;
      ++news_;
      if (news.has_table()) told_[news.table().table_id()] = in_words(news.table());
    }
    co_await pause(kRetry);
  }
  ended_ = true;
}

}  // namespace tesela::sim
