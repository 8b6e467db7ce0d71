#include "server/bots/bots.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/store/bot_account.h"

namespace tesela::bots {

using boost::asio::awaitable;

namespace {

/// Whether a row is the account of the bot, and not another one with the same id.
Expected<void> check_account(const store::PlayerRow& row, const store::HashedAccount& account) {
  if (row.kind == store::PlayerKind::kBot && row.identity == account.identity) return {};
  return refuse(ErrorCode::kInvalidArgument,
                "This bot's name cannot be used here: give it another.");
}

}  // namespace

PlayerId account_of(std::string_view game, std::string_view strategy) {
  return store::bot_account(game, strategy).id;
}

Expected<Listed> find_strategy(std::string_view game, std::string_view name) {
  if (is_remote(name)) {
    return Listed{.game = game, .description = {.name = name, .text = {}, .level = 0}};
  }
  std::vector<Listed> known = games::all_strategies();
  std::erase_if(known, [game](const Listed& one) { return one.game != game; });
  for (const Listed& strategy : known) {
    if (strategy.description.name == name) return strategy;
  }
  return refuse(ErrorCode::kInvalidArgument, no_such_strategy(game, name, known).message);
}

Listed strongest_strategy(std::string_view game) {
  std::optional<Listed> strongest;
  for (const Listed& strategy : games::all_strategies()) {
    if (strategy.game != game) continue;
    if (!strongest || strategy.description.level >= strongest->description.level) {
      strongest = strategy;
    }
  }
  return strongest.value();
}

std::vector<Listed> strategies_on_levels() {
  std::vector<Listed> all = games::all_strategies();
  std::set<std::string_view> with_levels;
  for (const Listed& strategy : all) {
    if (strategy.description.level > 0) with_levels.insert(strategy.game);
  }
  std::erase_if(all, [&](const Listed& strategy) {
    return strategy.description.level == 0 && with_levels.contains(strategy.game);
  });
  return all;
}

Expected<std::vector<Listed>> strategies_of_level(std::string_view game, std::uint32_t level) {
  std::map<std::uint32_t, std::vector<Listed>> by_level;
  for (const Listed& strategy : strategies_on_levels()) {
    if (strategy.game == game) by_level[strategy.description.level].push_back(strategy);
  }
  const auto found = level == 0 ? by_level.begin() : by_level.find(level);
  if (found != by_level.end()) return found->second;
  std::string known;
  for (const auto& [one, strategies] : by_level) {
    known += (known.empty() ? "" : ", ") + std::to_string(one);
  }
  return refuse(ErrorCode::kInvalidArgument, "There is no bot of level " + std::to_string(level) +
                                                 " for " + std::string(game) +
                                                 "; there are the levels " + known + ".");
}

std::string usual_autoplay(std::string_view game) {
  return find_strategy(game, "safe") ? "safe" : "random";
}

std::string autoplay_of(std::string_view game, const codec::TableOptions& options) {
  // In a ranked game, leaving must not be better than playing.
  if (options.ranked) {
    const auto all = games::all_strategies();
    const auto weakest = std::ranges::find(all, game, &Listed::game);
    if (weakest != all.end()) return std::string(weakest->description.name);
  }
  return options.autoplay.empty() ? usual_autoplay(game) : options.autoplay;
}

std::string autoplay_of(const store::TableRow& table) {
  const auto options = codec::decode_table_options(table.options);
  return autoplay_of(table.game, options.value_or(codec::TableOptions{}));
}

store::SeatRow bot_seat(const Listed& strategy, Seat seat) {
  return {.seat = seat,
          .player = account_of(strategy.game, strategy.description.name),
          .display_name = std::string(strategy.description.name),
          .strategy = std::string(strategy.description.name),
          .bot = true};
}

bool is_bot(std::string_view game, const store::SeatRow& seat) {
  return seat.bot && seat.player == account_of(game, seat.strategy);
}

awaitable<Expected<void>> add_bot_account(store::Store& store, std::string game,
                                          std::string strategy) {
  const store::HashedAccount account = store::bot_account(game, strategy);
  const auto known = co_await store.player(account.id);
  if (known) co_return check_account(*known, account);
  store::PlayerRow row{.id = account.id,
                       .display_name = std::move(strategy),
                       .created_ms = base::unix_ms(),
                       .kind = store::PlayerKind::kBot,
                       .identity = account.identity};
  auto added = co_await store.add_player(std::move(row));
  if (added) co_return added;
  // Another call may have added it meanwhile.
  const auto other = co_await store.player(account.id);
  if (other) co_return check_account(*other, account);
  co_return added;
}

awaitable<Expected<void>> add_bot_accounts(store::Store& store) {
  for (const Listed& strategy : games::all_strategies()) {
    auto added = co_await add_bot_account(store, std::string(strategy.game),
                                          std::string(strategy.description.name));
    if (!added) co_return added;
  }
  co_return Expected<void>{};
}

namespace {

constexpr std::string_view kPrefix = "ext/";

bool is_name(std::string_view name) {
  const auto fits = [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '-';
  };
  return !name.empty() && name.size() <= limits::kRemoteNameMax && std::ranges::all_of(name, fits);
}

}  // namespace

Expected<std::string> remote_strategy(std::string_view name) {
  if (is_name(name)) return std::string(kPrefix).append(name);
  return refuse(ErrorCode::kInvalidArgument, "A bot's name is 1 to " +
                                                 std::to_string(limits::kRemoteNameMax) +
                                                 " of the letters a to z, digits and hyphens.");
}

bool is_remote(std::string_view strategy) {
  return strategy.starts_with(kPrefix) && is_name(strategy.substr(kPrefix.size()));
}

}  // namespace tesela::bots
