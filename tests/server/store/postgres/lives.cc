#include "tests/server/store/postgres/lives.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "server/base/crypto.h"
#include "server/store/postgres/write/lives.h"

namespace tesela::store {
namespace {

template <class T>
boost::asio::awaitable<void> keep(boost::asio::awaitable<T> call, std::optional<T>& result) {
  result = co_await std::move(call);
}

postgres::Time soon() {
  return std::chrono::steady_clock::now() + std::chrono::minutes{5};
}

}  // namespace

Lives::Lives(const std::string& url) : clock_(url) {
  wait(connection_.open(url, std::nullopt, soon()));
}

LifeId Lives::begin(std::string address) {
  const auto life = base::random_id<LifeId>();
  wait(postgres::begin_life(connection_, life, std::move(address), soon()));
  return life;
}

bool Lives::renew(LifeId life) {
  std::optional<bool> lives;
  wait(keep(postgres::renew_lease(connection_, life, soon()), lives));
  return lives.value();
}

std::vector<std::string> Lives::declare_deaths(LifeId by) {
  std::optional<std::vector<std::string>> dead;
  wait(keep(postgres::declare_deaths(connection_, by, soon()), dead));
  std::ranges::sort(dead.value());
  return std::move(dead.value());
}

void Lives::end(LifeId life) {
  wait(postgres::end_life(connection_, life, soon()));
}

void Lives::let_pass(int time_ms) {
  const std::string time = "interval '" + std::to_string(time_ms) + " milliseconds'";
  clock_.run("UPDATE lives SET lease_until = lease_until - " + time +
             ", unbroken_since = unbroken_since - " + time);
}

void Lives::wait(boost::asio::awaitable<void> call) {
  boost::asio::co_spawn(io_, std::move(call), [](const std::exception_ptr& thrown) {
    if (thrown) std::rethrow_exception(thrown);
  });
  io_.restart();
  io_.run();
}

}  // namespace tesela::store
