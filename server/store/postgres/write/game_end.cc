#include "server/store/postgres/write/game_end.h"

#include <array>
#include <utility>

#include "server/store/postgres/write/append_sql.h"
#include "server/store/sql/table_writes.h"

namespace tesela::store::postgres {

boost::asio::awaitable<Expected<void>> end_game(sql::WriteSession& session, Append append) {
  Appending ending{.append = std::move(append), .again = session.again()};
  const std::array<Appending*, 1> only{&ending};
  Batch batch;
  add_appends(batch, only);
  const auto appended = co_await session.run(std::move(batch));
  if (appended[0].empty()) {
    co_await session.roll_back();
    Batch questions;
    add_questions(questions, only);
    const auto answers = co_await session.finish(std::move(questions));
    judge(answers[0], answers[1], only);
    co_return ending.outcome;
  }
  co_await sql::end_table(session, ending.append);
  co_return Expected<void>{};
}

}  // namespace tesela::store::postgres
