// A server that searches come to and relays, with whoever has the duty as the test says.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/metrics/metrics.h"
#include "server/nodes/relays.h"
#include "server/nodes/searches/search_relays.h"
#include "server/quota/admission_control.h"
#include "tests/server/nodes/entry_node.h"
#include "tests/server/nodes/searches/search_method.h"
#include "tests/server/store/switched_life.h"

namespace tesela::nodes {

/// Says who has the duty now.
class Holder final : public store::DutiesAlone {
 public:
  explicit Holder(std::optional<store::Owner> first = std::nullopt) : now_(std::move(first)) {}

  void set(std::optional<store::Owner> now) {
    const std::scoped_lock lock(mutex_);
    now_ = std::move(now);
  }
  [[nodiscard]] std::size_t looked() {
    const std::scoped_lock lock(mutex_);
    return looked_;
  }
  boost::asio::awaitable<Expected<std::optional<store::Owner>>> holder(
      store::Duty /*duty*/) override {
    const std::scoped_lock lock(mutex_);
    ++looked_;
    co_return now_;
  }

 private:
  std::mutex mutex_;
  std::optional<store::Owner> now_;
  std::size_t looked_ = 0;
};

/// A search as its caller hears of it.
class HeardSearch {
 public:
  /// "at 3", "matched TABLE", "end", or the sentence of a refusal; "nothing" after ten seconds.
  std::string next() {
    std::unique_lock lock(state_->mutex);
    const bool came = state_->changed.wait_for(lock, std::chrono::seconds{10},
                                               [this] { return !state_->heard.empty(); });
    if (!came) return "nothing";
    const std::string first = std::move(state_->heard.front());
    state_->heard.pop_front();
    return first;
  }

 private:
  friend class SearchNode;
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> heard;
    boost::asio::cancellation_signal hang_up;  // on the loop
  };

  static std::string text_of(const SearchScript::Told& told) {
    if (!told) return told.error().message;
    if (!*told) return "end";
    const auto& message = dynamic_cast<const lobby::v1::FindResponse&>(**told);
    if (message.has_matched()) return "matched " + message.matched().table().table_id();
    return "at " + std::to_string(message.searching().position());
  }
  static boost::asio::awaitable<void> run(std::shared_ptr<State> state, rpc::Method find,
                                          rpc::Caller caller) {
    auto request = std::make_unique<lobby::v1::FindRequest>();
    request->set_game("azul");
    auto opened = co_await find.open(std::move(request), std::move(caller));
    for (bool more = opened.has_value(); more;) {
      const auto told = co_await (*opened)->next();
      more = told && *told;
      const std::scoped_lock lock(state->mutex);
      state->heard.push_back(text_of(told));
      state->changed.notify_all();
    }
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

class SearchNode {
 public:
  explicit SearchNode(Holder& holder,
                      std::chrono::milliseconds hold_time = std::chrono::seconds{10},
                      std::string proof = kProof)
      : relays_(
            {.ownership = holder, .life = life_, .metrics = metrics, .proof = std::move(proof)}),
        searches_({.relays = relays_,
                   .ownership = holder,
                   .life = life_,
                   .metrics = metrics,
                   .loop = io_.at(0),
                   .leads = [this] { return leads.load(); },
                   .find = find_method(here),
                   .hold = [this](const rpc::Caller& caller) { return hold(caller); },
                   .hold_time = hold_time}) {
    io_.run();
    searches_.start();
  }
  ~SearchNode() {
    stop();
    boost::asio::co_spawn(io_.at(0), searches_.stop(), boost::asio::use_future).get();
    comes([this] { return open_ == 0; });
    io_.stop();
    io_.join();
  }
  SearchNode(const SearchNode&) = delete;
  SearchNode& operator=(const SearchNode&) = delete;

  HeardSearch find(rpc::Caller caller = {.token = "token"}) {
    HeardSearch heard;
    const auto state = heard.state_;
    ++open_;
    io_.at(1).hand_over([this, state, caller = std::move(caller)]() mutable {
      boost::asio::co_spawn(
          io_.at(1), HeardSearch::run(state, find_, std::move(caller)),
          boost::asio::bind_cancellation_slot(
              state->hang_up.slot(), [this](const std::exception_ptr& /*hung_up*/) { --open_; }));
    });
    return heard;
  }
  void hang_up(const HeardSearch& search) {
    io_.at(1).hand_over(
        [state = search.state_] { state->hang_up.emit(boost::asio::cancellation_type::terminal); });
  }
  void stop() { relays_.stop(); }
  [[nodiscard]] double count(std::string_view outcome) { return metrics.relays(outcome).Value(); }

  metrics::Metrics metrics;
  SearchScript here;  // of searches that are answered here
  std::atomic<bool> leads{false};
  std::atomic<int> held{0};  // by searches that are passed on
  std::atomic<bool> full{false};

 private:
  Expected<std::shared_ptr<quota::Slots>> hold(const rpc::Caller& caller) {
    if (caller.token == "forged") return refuse(ErrorCode::kUnauthenticated, "Sign in again.");
    if (full) return refuse(ErrorCode::kResourceExhausted, "You search too much.");
    ++held;
    return std::shared_ptr<quota::Slots>(new quota::Slots, [this](quota::Slots* slots) {
      delete slots;
      --held;
    });
  }

  base::IoPool io_{2};
  store::SwitchedLife life_;
  Relays relays_;
  SearchRelays searches_;
  const rpc::Method find_ = searches_.find();
  std::atomic<int> open_{0};
};

}  // namespace tesela::nodes
