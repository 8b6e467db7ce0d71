#include "server/matchmaking/matcher.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "server/accounts/players.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/matchmaking/earlier_match.h"
#include "server/matchmaking/matched_table.h"
#include "server/store/refusals.h"

namespace tesela::matchmaking {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

Error server_stops() {
  return {ErrorCode::kFenced, "The server is stopping; search again in a moment."};
}

/// A try of make_tables of which it was unknown whether it was stored may have been.
Error seated_meanwhile() {
  return {ErrorCode::kFenced, "Your search has changed meanwhile: search again in a moment."};
}

}  // namespace

Matcher::Matcher(Parts parts)
    : Worker(parts.loop, "search for opponents"),
      parts_(parts),
      leading_(parts.ownership, parts.life) {}

void Matcher::add(std::shared_ptr<Search> search) {
  parts_.loop.hand_over([this, search = std::move(search)] {
    if (stopping()) {
      search->failed(server_stops());
    } else {
      arrivals_.push_back(search);
      wake();
    }
  });
}

void Matcher::remove(const std::shared_ptr<Search>& search) {
  search->leave();
  wake();
}

awaitable<void> Matcher::run() {
  while (!stopping()) {
    const auto begun = co_await begin();
    leads_.store(begun.has_value(), std::memory_order_relaxed);
    if (begun) {
      co_await match();
    } else {
      for (auto& search : std::exchange(arrivals_, {})) search->failed(begun.error());
    }
    parts_.metrics.searches_waiting().Set(static_cast<double>(searches_.size()));
    co_await rest();
  }
  leads_.store(false, std::memory_order_relaxed);
  for (auto& search : std::exchange(arrivals_, {})) search->failed(server_stops());
  for (const auto& [player, search] : searches_) {
    search->failed(server_stops());
    search->leave();
  }
  searches_.clear();
  parts_.metrics.searches_waiting().Set(0);
  co_await leading_.give_up();
}

/// Error: this server does not match now.
awaitable<Expected<void>> Matcher::begin() {
  const auto turn = co_await leading_.look();
  if (turn && *turn == Turn::kGoesOn) co_return Expected<void>{};
  end_searches();
  if (!turn) co_return std::unexpected(turn.error());
  co_return Expected<void>{};
}

/// After the loss of the lease: whoever has it next has no search of this server.
void Matcher::end_searches() {
  for (const auto& [player, search] : std::exchange(searches_, {})) {
    search->failed(store::not_the_matcher().error());
    search->leave();
  }
  parties_ = Parties();
  waiting_ = Waiting();
}

/// What was refused may have been refused because another server has taken the lease.
void Matcher::note_loss(const Error& error) {
  if (error.code == ErrorCode::kFenced) leading_.lose();
}

awaitable<void> Matcher::match() {
  auto arrivals = take_arrivals();
  drop_gone();
  co_await queue_up(std::move(arrivals));
  co_await pass();
  waiting_.tell(now_ms());
}

awaitable<void> Matcher::rest() {
  const std::int64_t now = now_ms();
  milliseconds wait = limits::kMatchInterval;
  if (const auto bots_ms = waiting_.next_bots_ms(now)) {
    wait = std::min(wait, milliseconds{*bots_ms - now});
  }
  const auto begin = steady_clock::now();
  co_await pause_between(begin, begin + wait);
}

/// The new searches that are accepted. A player's newest search replaces the one before.
Searches Matcher::take_arrivals() {
  Searches taken;
  for (auto& search : std::exchange(arrivals_, {})) {
    if (search->gone()) continue;
    const auto known = searches_.find(search->seeker().player);
    if (known != searches_.end()) {
      const bool replaced = replaces(*search, *known->second);
      const auto left = replaced ? std::exchange(known->second, search) : search;
      left->failed({ErrorCode::kStale, "You search with another call now."});
      left->leave();
      if (!replaced) continue;
    } else if (searches_.size() >= limits::kSearchesMax) {
      search->failed(
          {ErrorCode::kResourceExhausted, "Too many players are searching; try again later."});
      continue;
    } else {
      searches_.emplace(search->seeker().player, search);
    }
    taken.push_back(std::move(search));
  }
  return taken;
}

void Matcher::drop_gone() {
  for (const auto& [player, search] : searches_) {
    const auto may = parts_.may_seek(player);
    if (may) continue;
    search->failed(may.error());
    search->leave();
  }
  Searches left = parties_.broken();
  waiting_.remove_gone(left);
  for (const auto& search : left) {
    fail(search, {ErrorCode::kStale, "A member of your party has left."});
  }
  for (const auto& search : parties_.older_than(steady_clock::now() - limits::kPartyTimeMax)) {
    fail(search, {ErrorCode::kResourceExhausted, "Your party did not come together in time."});
  }
}

awaitable<void> Matcher::queue_up(Searches arrivals) {
  std::erase_if(arrivals, [this](const auto& search) {
    if (search->gone()) forget(search);
    return search->gone();
  });
  auto known = co_await seekers_of(arrivals);
  std::vector<Searches> complete;
  for (const auto& search : arrivals) {
    auto party = co_await party_with(search, known);
    if (!party) {
      fail(search, party.error());
    } else if (!party->empty()) {
      complete.push_back(std::move(*party));
    }
  }
  for (Searches& party : complete) {
    auto ticket = co_await ticket_of(party, known);
    if (ticket) {
      waiting_.add(std::move(*ticket), std::move(party));
    } else {
      for (const auto& member : party) fail(member, ticket.error());
    }
  }
}

/// What is stored of the players. Who is not there has no account.
awaitable<Expected<Matcher::Seekers>> Matcher::seekers_of(std::span<const SearchPtr> searches) {
  std::map<std::string, std::vector<PlayerId>> players;  // by game
  for (const auto& search : searches) {
    players[search->seeker().queue.game].push_back(search->seeker().player);
  }
  Seekers found;
  for (auto& [game, ids] : players) {
    for (std::span<const PlayerId> left = ids; !left.empty();) {
      const auto some = left.first(std::min(left.size(), limits::kSeekersAtOnce));
      left = left.subspan(some.size());
      std::vector<PlayerId> asked(some.begin(), some.end());
      const auto rows = co_await parts_.store.seekers(game, std::move(asked));
      if (!rows) co_return std::unexpected(rows.error());
      for (const store::SeekerRow& row : *rows) found.insert_or_assign(row.player, row);
    }
  }
  co_return found;
}

/// The party that the search completes; empty if it is incomplete, or the player has a table.
awaitable<Expected<Searches>> Matcher::party_with(SearchPtr search,
                                                  const Expected<Seekers>& known) {
  if (!known) co_return std::unexpected(known.error());
  const auto row = known->find(search->seeker().player);
  if (row == known->end()) co_return accounts::unknown_player();
  if (row->second.match_lives) {
    auto table =
        co_await earlier_match(parts_.directory, *row->second.last_match, search->seeker());
    if (!table) co_return std::unexpected(std::move(table.error()));
    if (*table) {
      search->matched(**table);
      forget(search);
      co_return Searches{};
    }
  }
  co_return parties_.add(std::move(search), steady_clock::now());
}

/// `known`: of those who have arrived last. The others of the party are looked up anew.
awaitable<Expected<Ticket>> Matcher::ticket_of(std::span<const SearchPtr> party,
                                               const Expected<Seekers>& known) {
  const Seeker& first = party.front()->seeker();
  Ticket ticket{.id = base::random_id<TicketId>(),
                .queue = first.queue,
                .party = {},
                .since_ms = now_ms(),
                .bots = first.bots};
  Expected<Seekers> of_party;
  if (party.size() > 1) of_party = co_await seekers_of(party);
  const Expected<Seekers>& rows = party.size() > 1 ? of_party : known;
  if (!rows) co_return std::unexpected(rows.error());
  for (const auto& member : party) {
    const auto row = rows->find(member->seeker().player);
    if (row == rows->end()) co_return accounts::unknown_player();
    ticket.party.push_back({.player = row->first,
                            .mu = row->second.mu,
                            .last_match = row->second.last_match,
                            .blocked = row->second.blocked});
  }
  co_return ticket;
}

std::vector<store::MatchedPlayer> Matcher::players_of(const Pairing& pairing) const {
  std::vector<store::MatchedPlayer> players;
  for (const TicketId id : pairing.tickets) {
    for (const Member& member : waiting_.ticket(id).party) {
      players.push_back({.player = member.player, .last_match = member.last_match});
    }
  }
  return players;
}

awaitable<void> Matcher::pass() {
  drop_gone();  // also those that ended meanwhile
  std::vector<Ready> ready;
  for (auto& pairing : pair_up(waiting_.tickets(), now_ms())) {
    if (auto table = prepare(std::move(pairing))) ready.push_back(std::move(*table));
  }
  if (!ready.empty()) co_await make(std::move(ready));
}

std::optional<Matcher::Ready> Matcher::prepare(Pairing pairing) {
  Searches players;
  for (const TicketId id : pairing.tickets) {
    const Searches& party = waiting_.searches(id);
    players.insert(players.end(), party.begin(), party.end());
  }
  auto wanted = new_table_of(pairing, players);
  auto table = wanted
                   ? parts_.directory.prepare(std::move(*wanted))
                   : Expected<directory::PreparedTable>(std::unexpected(std::move(wanted.error())));
  if (!table) {
    give_up(pairing, table.error());
    return std::nullopt;
  }
  return Ready{.matched = {.table = std::move(table->row),
                           .first_record = std::move(table->first_record),
                           .players = players_of(pairing),
                           .outcome = std::move(table->outcome)},
               .pairing = std::move(pairing)};
}

awaitable<void> Matcher::make(std::vector<Ready> tables) {
  std::vector<store::MatchedTable> rows;
  rows.reserve(tables.size());
  for (const Ready& table : tables) rows.push_back(table.matched);
  const auto made = co_await parts_.store.make_tables(std::move(rows), leading_.epoch());
  if (made) {
    co_await announce(std::move(tables));
    co_return;
  }
  static base::SeldomLog lines;
  lines.log(spdlog::level::warn, "{} matches wait: {}", tables.size(), made.error().message);
  note_loss(made.error());
  if (!leading_.held()) co_return;
  // If the store cannot be written, the next pass tries again.
  if (made.error().code == ErrorCode::kUnavailable) co_return;
  if (tables.size() == 1) {
    co_await retry_or_fail(std::move(tables.front()), made.error());
    co_return;
  }
  // One by one, so that a table that cannot be stored does not block the others.
  for (Ready& table : tables) {
    std::vector<Ready> alone;
    alone.push_back(std::move(table));
    co_await make(std::move(alone));
  }
}

/// Handles a table that was refused, or of which it is unknown whether it was stored.
awaitable<void> Matcher::retry_or_fail(Ready table, Error error) {
  const auto stored = co_await parts_.directory.stored(table.matched.table.id);
  if (stored) {
    std::vector<Ready> alone;
    alone.push_back(std::move(table));
    co_await announce(std::move(alone));
  } else if (stored.error().code == ErrorCode::kNotFound) {
    give_up(table.pairing, error.code == ErrorCode::kStale ? seated_meanwhile() : error);
  }
}

awaitable<void> Matcher::announce(std::vector<Ready> tables) {
  const std::int64_t now = now_ms();
  for (Ready& table : tables) {
    for (const TicketId id : table.pairing.tickets) {
      const double waited = static_cast<double>(waited_ms(waiting_.ticket(id), now)) / 1000;
      for (const auto& search : waiting_.match(id, now)) {
        parts_.metrics.search_wait_seconds().observe(waited);
        const Seeker& seeker = search->seeker();
        if (seeker.slots) table.slots.emplace_back(seeker.player, seeker.slots);
        search->matched(table.matched.table);
        forget(search);
      }
    }
  }
  for (Ready& table : tables) {
    co_await parts_.directory.begin(std::move(table.matched.table), std::move(table.slots));
  }
}

void Matcher::give_up(const Pairing& pairing, const Error& error) {
  for (const TicketId id : pairing.tickets) {
    for (const auto& search : waiting_.remove(id)) fail(search, error);
  }
}

void Matcher::fail(const std::shared_ptr<Search>& search, const Error& error) {
  search->failed(error);
  forget(search);
}

void Matcher::forget(const std::shared_ptr<Search>& search) {
  const auto known = searches_.find(search->seeker().player);
  if (known != searches_.end() && known->second == search) searches_.erase(known);
}

}  // namespace tesela::matchmaking
