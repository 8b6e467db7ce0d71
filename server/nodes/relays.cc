#include "server/nodes/relays.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <optional>
#include <sstream>
#include <utility>

#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"

namespace tesela::nodes {
namespace {

using boost::asio::awaitable;
using std::chrono::steady_clock;

awaitable<void> pause(base::Loop& loop) {
  net::StreamTimer timer(loop, limits::kRelayRetryInterval);
  co_await timer.async_wait(net::use_tuple);
}

}  // namespace

/// A relay among those that are open.
class Relays::Entry {
 public:
  Entry(std::shared_ptr<OpenRelays> open, base::Loop& loop, const std::shared_ptr<Relay>& relay,
        Kind kind, std::optional<store::LifeId> life = {})
      : open_(std::move(open)), relay_(relay.get()) {
    const std::scoped_lock lock(open_->mutex);
    open_->relays.emplace(relay_, Open{.loop = &loop, .relay = relay, .kind = kind, .life = life});
  }
  ~Entry() {
    const std::scoped_lock lock(open_->mutex);
    open_->relays.erase(relay_);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

 private:
  const std::shared_ptr<OpenRelays> open_;
  const Relay* relay_;
};

/// The connection of an answer that is a stream.
struct Relays::Kept {
  Kept(std::shared_ptr<OpenRelays> open, base::Loop& loop, store::LifeId life)
      : relay(std::make_shared<Relay>(loop)),
        entry(std::move(open), loop, relay, Kind::kStream, life) {}

  std::shared_ptr<Relay> relay;
  Entry entry;
};

awaitable<bool> Relays::pass_on(base::Loop& loop, Arrival& arrival, TableId table) {
  const Ask ask = [this, &loop, &arrival](NodeAddress owner) {
    return ask_and_carry(loop, arrival, std::move(owner));
  };
  co_return co_await ask_owners(loop, table, ask, steady_clock::now() + limits::kRelayHoldTime);
}

awaitable<std::optional<Expected<CallAnswer>>> Relays::pass_on(base::Loop& loop, CallRequest call,
                                                               TableId table) {
  std::optional<Expected<CallAnswer>> outcome;
  const Ask ask = [this, &loop, &call, &outcome](NodeAddress owner) {
    return ask_and_call(loop, call, outcome, std::move(owner));
  };
  const auto until = std::min(call.until, steady_clock::now() + limits::kRelayHoldTime);
  co_await ask_owners(loop, table, ask, until);
  co_return outcome;
}

awaitable<Expected<CallAnswer>> Relays::call(base::Loop& loop, CallRequest call,
                                             NodeAddress server) {
  std::optional<Expected<CallAnswer>> outcome;
  const Answer answer = co_await ask_and_call(loop, call, outcome, std::move(server));
  count(answer);
  if (outcome) co_return std::move(*outcome);
  if (answer == Answer::kStranger) {
    co_return refuse(ErrorCode::kUnavailable, "That server has another --node-secret-file.");
  }
  co_return refuse(ErrorCode::kUnavailable, "That server cannot be reached.");
}

awaitable<bool> Relays::ask_owners(base::Loop& loop, TableId table, const Ask& ask,
                                   steady_clock::time_point until) {
  std::optional<store::LifeId> refused;  // the life that has refused
  bool waited = false;
  auto owner = owners_.find(table);
  bool remembered = owner.has_value();
  if (!owner) owner = co_await owner_of(table);
  while (owner && !stopping_) {
    const Answer answer = co_await ask(owner->address);
    count(answer);
    if (answer == Answer::kGiven) co_return true;
    owners_.forget(table);
    if (answer == Answer::kStranger) co_return false;
    // A life that refuses a table that it owns in the store is dead: another one has its address.
    const bool gone = answer == Answer::kUnreachable || refused == owner->life;
    // Refused by two lives: the table moves, and the client had better come again.
    if (!gone && refused) co_return false;
    if (!gone) refused = owner->life;
    // A life that is gone may have released the table.
    if (std::exchange(remembered, false) && gone) {
      owner = co_await owner_of(table);
      continue;
    }
    waited = waited || gone;
    if (gone && steady_clock::now() >= until) {
      parts_.metrics.relays("given_up").Increment();
      co_return false;
    }
    if (gone) co_await pause(loop);
    owner = co_await owner_of(table);
  }
  if (waited && !owner) {
    parts_.metrics.takeovers().Increment();
    static auto lines = base::SeldomLog::of_players();
    lines.log(spdlog::level::info, "table taken over", {{"table", base::to_text(table)}});
  }
  co_return false;
}

awaitable<Opened> Relays::open(base::Loop& loop, CallRequest call, RemoteOwner server) {
  auto kept = std::make_shared<Kept>(open_, loop, server.life);
  Relay* const relay = kept->relay.get();
  Opened opened{.answer = Answer::kUnreachable};
  if (!stopping_) {  // `stop` may not have seen the entry
    std::string head = marked(std::move(call.head), call.client);
    opened.answer = co_await relay->ask(std::move(server.address), std::move(head));
    count(opened.answer);
  }
  if (opened.answer == Answer::kGiven) opened.relay = std::shared_ptr<Relay>(kept, relay);
  co_return opened;
}

void Relays::close_but(std::optional<store::LifeId> life) {
  close_all([life](const Open& open) { return open.life && open.life != life; });
}

bool Relays::any_open() const {
  const std::scoped_lock lock(open_->mutex);
  return std::ranges::any_of(open_->relays,
                             [](const auto& entry) { return entry.second.life.has_value(); });
}

awaitable<bool> Relays::is_ours(TableId table) {
  const auto owner = co_await parts_.ownership.owner(table);
  co_return owner && *owner && (*owner)->life == parts_.life.id();
}

/// Empty: nobody else has the table, or nobody knows, or the owner has no node port.
awaitable<std::optional<RemoteOwner>> Relays::owner_of(TableId table) {
  const auto owner = co_await parts_.ownership.owner(table);
  if (!owner || !*owner || (*owner)->life == parts_.life.id()) co_return std::nullopt;
  auto address = parse_node_address((*owner)->address);
  if (!address) co_return std::nullopt;
  RemoteOwner remote{.life = (*owner)->life, .address = std::move(*address)};
  owners_.put(table, remote);
  co_return std::move(remote);
}

awaitable<Answer> Relays::ask_and_carry(base::Loop& loop, Arrival& arrival, NodeAddress owner) {
  auto relay = std::make_shared<Relay>(loop);
  const Entry entry(open_, loop, relay, Kind::kStream);
  if (stopping_) co_return Answer::kUnreachable;  // `stop` may not have seen the entry
  std::string request = marked(arrival.request.base(), arrival.client.address);
  const Answer answer = co_await relay->ask(std::move(owner), std::move(request));
  if (answer == Answer::kGiven) co_await carry(loop, relay, arrival);
  co_return answer;
}

awaitable<Answer> Relays::ask_and_call(base::Loop& loop, const CallRequest& call,
                                       std::optional<Expected<CallAnswer>>& outcome,
                                       NodeAddress owner) {
  auto relay = std::make_shared<Relay>(loop);
  const Entry entry(open_, loop, relay, Kind::kCall);
  if (stopping_) co_return Answer::kUnreachable;
  std::string head = marked(call.head, call.client);
  const Answer answer = co_await relay->ask(std::move(owner), std::move(head));
  if (answer != Answer::kGiven) co_return answer;
  auto given = co_await relay->finish(call.body, call.until);
  parts_.metrics.relays(given ? "call" : "unanswered").Increment();
  if (given) {
    outcome.emplace(std::move(*given));
  } else {
    outcome.emplace(refuse(ErrorCode::kUnavailable,
                           "The server that was asked did not answer; what was asked may have been "
                           "done."));
  }
  co_return answer;
}

awaitable<void> Relays::carry(base::Loop& loop, std::shared_ptr<Relay> relay, Arrival& arrival) {
  parts_.metrics.relays("begun").Increment();
  parts_.metrics.relays_open().Increment();
  // The owner counts the frames.
  net::StreamWire client(loop, std::move(arrival.transport), /*paced=*/false);
  co_await relay->carry(std::move(client));
  parts_.metrics.relays_open().Decrement();
}

std::string Relays::marked(net::RequestHead request, const boost::asio::ip::address& client) const {
  mark(request, client, parts_.proof, parts_.life.id());
  std::ostringstream text;
  text << request;
  return std::move(text).str();
}

void Relays::count(Answer answer) {
  switch (answer) {
    case Answer::kGiven:
      break;  // counted when it began, or by the caller
    case Answer::kWrongOwner:
      parts_.metrics.relays("wrong_owner").Increment();
      break;
    case Answer::kUnreachable:
      parts_.metrics.relays("unreachable").Increment();
      break;
    case Answer::kStranger:
      parts_.metrics.relays("refused").Increment();
      static base::SeldomLog lines;
      lines.log(spdlog::level::err, "a server on this database has another --node-secret-file");
      break;
  }
}

void Relays::stop(std::chrono::milliseconds calls_max) {
  stopping_ = true;
  close_all([](const Open& open) { return open.kind == Kind::kStream; });
  const auto end = steady_clock::now() + calls_max;
  const std::scoped_lock lock(open_->mutex);
  for (const auto& [key, open] : open_->relays) {
    if (open.kind != Kind::kCall) continue;
    open.loop->hand_over([weak = open.relay, end] {
      if (const auto relay = weak.lock()) relay->close_by(end);
    });
  }
}

void Relays::close_all(const std::function<bool(const Open&)>& which) {
  const std::scoped_lock lock(open_->mutex);
  for (const auto& [key, open] : open_->relays) {
    if (!which(open)) continue;
    open.loop->hand_over([weak = open.relay] {
      if (const auto relay = weak.lock()) relay->close();
    });
  }
}

}  // namespace tesela::nodes
