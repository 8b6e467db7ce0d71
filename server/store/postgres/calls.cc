#include "server/store/postgres/calls.h"

#include "server/store/refusals.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

awaitable<std::optional<Error>> Calls::attempt(Try work) {
  if (!parts_.open.begin()) co_return stopping().error();
  auto tried = counted(std::move(work));
  co_return co_await parts_.loop.call(std::move(tried));
}

awaitable<std::optional<Error>> Calls::counted(Try work) {
  auto error =
      co_await attempt_until(pool_, parts_.health, access_,
                             std::chrono::steady_clock::now() + parts_.wait, std::move(work));
  parts_.open.end(1);
  co_return error;
}

}  // namespace tesela::store::postgres
