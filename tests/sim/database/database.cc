#include "tests/sim/database/database.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <stdexcept>
#include <utility>

#include "server/base/postgres_limits.h"

namespace tesela::sim {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

Database* the_database = nullptr;

std::unique_ptr<store::SqliteStore> opened(const std::filesystem::path& folder) {
  auto store = store::SqliteStore::open({.folder = folder});
  if (!store) throw std::runtime_error(store.error().message);
  return *std::move(store);
}

}  // namespace

Database::Database(const std::filesystem::path& folder)
    : node_(&Kernel::active()->node()), sqlite_(opened(folder)) {
  the_database = this;
  pool_.run();
}

Database& Database::get() {
  return *the_database;
}

awaitable<bool> Database::travel(Node& from, Node& to, steady_clock::time_point until) {
  asio::steady_timer timer(pool_.any());
  Network& network = Network::get();
  for (;;) {
    const Line& line = network.line(from, to);
    const bool passes = !line.cut() && !down;
    if (passes) {
      const auto jitter = static_cast<std::uint64_t>(line.jitter);
      const Nanos slow = Kernel::active()->draw(1000) < weather.slow
                             ? static_cast<Nanos>(Kernel::active()->draw(2 * kSecond))
                             : 0;
      timer.expires_after(
          nanoseconds{line.delay + static_cast<Nanos>(Kernel::active()->draw(jitter + 1)) + slow});
      co_await timer.async_wait(asio::use_awaitable);
      co_return steady_clock::now() < until;
    }
    if (steady_clock::now() >= until) co_return false;
    timer.expires_after(std::chrono::milliseconds{20});
    co_await timer.async_wait(asio::use_awaitable);
  }
}

awaitable<void> Database::lock() {
  if (!locked_) {
    locked_ = true;
    co_return;
  }
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
      [this](auto handler) {
        waiting_.push_back([handler = std::move(handler)]() mutable { std::move(handler)(); });
      },
      asio::use_awaitable);
}

void Database::unlock() {
  if (waiting_.empty()) {
    locked_ = false;
    return;
  }
  asio::post(pool_.any(), std::move(waiting_.front()));
  waiting_.pop_front();
}

std::optional<store::Owner> Database::owner_of(TableId table) const {
  const auto owner = owners.find(table);
  if (owner == owners.end() || !is_alive(owner->second)) return std::nullopt;
  return store::Owner{owner->second, lives.at(owner->second).address};
}

void Database::note_change(TableId table, const void* writer) {
  changes.push_back({table, writer, Kernel::active()->now()});
  for (const auto& [number, client] : clients) {
    if (client.store == writer || !client.told) continue;
    const Line& line = Network::get().line(*node_, *Kernel::active()->find_node(number));
    if (!line.cut() && !down) client.told();
  }
}

}  // namespace tesela::sim
