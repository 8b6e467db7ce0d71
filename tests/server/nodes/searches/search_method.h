// Searches as a test wants them to go.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "engine/core/result.h"
#include "server/rpc/method.h"
#include "tesela/lobby/v1/matchmaking.pb.h"

namespace tesela::nodes {

/// Whether `condition` comes true within ten seconds.
template <class Condition>
bool comes(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

/// What a server tells of every search, one after the other: the same to each that begins. Any
/// thread.
class SearchScript {
 public:
  using Told = Expected<rpc::MessagePtr>;

  void say(std::uint32_t position) {
    auto message = std::make_shared<lobby::v1::FindResponse>();
    message->mutable_searching()->set_position(position);
    add(std::move(message));
  }
  /// The last message, and the end.
  void match(const std::string& table) {
    auto message = std::make_shared<lobby::v1::FindResponse>();
    message->mutable_matched()->mutable_table()->set_table_id(table);
    add(std::move(message));
    add(nullptr);
  }
  void fail(Error error) { add(std::unexpected(std::move(error))); }

  /// What is told after `told` others; empty: not yet.
  [[nodiscard]] std::optional<Told> after(std::size_t told) {
    const std::scoped_lock lock(mutex_);
    if (told >= lines_.size()) return std::nullopt;
    return lines_[told];
  }
  void came(const lobby::v1::FindRequest& asked, const rpc::Caller& by) {
    const std::scoped_lock lock(mutex_);
    request = asked;
    caller = by;
    ++begun;
  }

  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  lobby::v1::FindRequest request;  // of the last one, as what follows
  rpc::Caller caller;

 private:
  void add(Told told) {
    const std::scoped_lock lock(mutex_);
    lines_.push_back(std::move(told));
  }

  std::mutex mutex_;
  std::deque<Told> lines_;
};

/// A search that goes as the script says.
class ScriptedSearch final : public rpc::Stream {
 public:
  explicit ScriptedSearch(SearchScript& script) : script_(script) {}
  ~ScriptedSearch() override { ++script_.ended; }
  ScriptedSearch(const ScriptedSearch&) = delete;
  ScriptedSearch& operator=(const ScriptedSearch&) = delete;

  boost::asio::awaitable<Expected<rpc::MessagePtr>> next() override {
    for (;;) {
      if (auto told = script_.after(told_)) {
        ++told_;
        co_return std::move(*told);
      }
      boost::asio::steady_timer pause(co_await boost::asio::this_coro::executor,
                                      std::chrono::milliseconds{5});
      co_await pause.async_wait(boost::asio::use_awaitable);
    }
  }

 private:
  SearchScript& script_;
  std::size_t told_ = 0;
};

inline boost::asio::awaitable<Expected<rpc::StreamPtr>> begin_search(SearchScript& script,
                                                                     lobby::v1::FindRequest request,
                                                                     rpc::Caller caller) {
  script.came(request, caller);
  co_return std::make_unique<ScriptedSearch>(script);
}

/// MatchmakingService.Find by a script, which outlives it.
inline rpc::Method find_method(SearchScript& script) {
  rpc::Method method = rpc::method_by<lobby::v1::FindRequest, rpc::StreamPtr>(
      [&script](lobby::v1::FindRequest request, rpc::Caller caller) {
        return begin_search(script, std::move(request), std::move(caller));
      });
  method.path = "/tesela.lobby.v1.MatchmakingService/Find";
  method.descriptor = rpc::declared_method(method.path);
  return method;
}

}  // namespace tesela::nodes
