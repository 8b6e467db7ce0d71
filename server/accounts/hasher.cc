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

/// One of those that are asked for.
class Asked {
 public:
  explicit Asked(std::atomic<std::size_t>& asked) : asked_(asked), number_(++asked_) {}
  ~Asked() { --asked_; }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  [[nodiscard]] bool fits() const { return number_ <= kHashesWaiting; }

 private:
  std::atomic<std::size_t>& asked_;
  const std::size_t number_;
};

}  // namespace

template <class T>
awaitable<Expected<T>> Hasher::run(awaitable<T> work) {
  const Asked asked(asked_);
  if (!asked.fits()) {
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
