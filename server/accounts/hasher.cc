#include "server/accounts/hasher.h"

#include <optional>
#include <utility>

#include "server/accounts/recovery_code.h"

namespace tesela::accounts {
namespace {

using boost::asio::awaitable;

awaitable<std::string> hash_there(std::string secret) {
  co_return hash_of(secret);
}

awaitable<bool> check_there(std::string hash, std::string secret) {
  co_return is_hash_of(hash, secret);
}

}  // namespace

template <class T>
awaitable<Expected<T>> Hasher::run(awaitable<T> work) {
  const auto place = places_.take();
  if (!place) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "Too many sign in with recovery codes now; try again in a minute.");
  }
  co_return co_await pool_.any().call(std::move(work));
}

awaitable<Expected<std::string>> Hasher::hash(std::string secret) {
  return run(hash_there(std::move(secret)));
}

awaitable<Expected<bool>> Hasher::check(std::string hash, std::string secret) {
  return run(check_there(std::move(hash), std::move(secret)));
}

}  // namespace tesela::accounts
