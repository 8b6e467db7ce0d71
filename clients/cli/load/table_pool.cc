#include "clients/cli/load/table_pool.h"

#include <utility>

namespace tesela::cli {

TablePool::TablePool(Executor executor, Options options)
    : options_(std::move(options)),
      needed_(executor, Timer::time_point::max()),
      made_(executor, Timer::time_point::max()) {}

Task<void> TablePool::make() {
  LobbyClient lobby(options_.server);
  lobby.authorise(options_.token);
  while (!closed_) {
    if (ready_.size() + making_ >= options_.ahead + waiting_) {
      co_await needed_.async_wait(kResult);
      continue;
    }
    ++making_;
    lobby::v1::CreateTableRequest request;
    request.set_game(options_.game);
    auto table = co_await lobby.create_table(std::move(request));
    --making_;
    if (table) {
      ready_.emplace_back(table->table_id());
    } else {
      ready_.emplace_back(std::unexpected(table.error()));
    }
    made_.cancel();
  }
}

Task<Expected<std::string>> TablePool::take() {
  ++waiting_;
  needed_.cancel();
  while (ready_.empty() && !closed_) co_await made_.async_wait(kResult);
  --waiting_;
  if (ready_.empty()) co_return refuse(ErrorCode::kUnavailable, "No more tables are made.");
  auto table = std::move(ready_.front());
  ready_.pop_front();
  needed_.cancel();
  co_return table;
}

void TablePool::close() {
  closed_ = true;
  needed_.cancel();
  made_.cancel();
}

}  // namespace tesela::cli
