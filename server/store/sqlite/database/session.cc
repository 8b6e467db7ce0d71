#include "server/store/sqlite/database/session.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace tesela::store {
namespace {

constexpr sql::Text kNewestEvent{"SELECT max(seq) FROM recent_events"};

/// A copy of the rows of a statement, which is used again.
class CopiedRows final : public sql::RowSource {
 public:
  explicit CopiedRows(Statement& statement) : columns_(statement.columns()) {
    statement.each_row([&](sql::Row row) {
      for (int column = 0; column < columns_; ++column) add(row, column, statement.type(column));
    });
    changed_ = statement.changed();
  }

  [[nodiscard]] std::size_t size() const override {
    return columns_ == 0 ? 0 : cells_.size() / static_cast<std::size_t>(columns_);
  }
  [[nodiscard]] std::size_t changed() const override { return changed_; }
  [[nodiscard]] bool null(std::size_t row, int column) const override {
    return std::holds_alternative<std::monostate>(cell(row, column));
  }
  [[nodiscard]] std::int64_t number(std::size_t row, int column) const override {
    const auto* const number = std::get_if<std::int64_t>(&cell(row, column));
    return number != nullptr ? *number : 0;
  }
  [[nodiscard]] double real(std::size_t row, int column) const override {
    const auto* const real = std::get_if<double>(&cell(row, column));
    return real != nullptr ? *real : static_cast<double>(number(row, column));
  }
  [[nodiscard]] std::string_view bytes(std::size_t row, int column) const override {
    const auto* const bytes = std::get_if<std::string>(&cell(row, column));
    return bytes != nullptr ? std::string_view(*bytes) : std::string_view();
  }

 private:
  using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

  void add(sql::Row row, int column, int type) {
    switch (type) {
      case SQLITE_NULL:
        cells_.emplace_back();
        break;
      case SQLITE_INTEGER:
        cells_.emplace_back(row.number(column));
        break;
      case SQLITE_FLOAT:
        cells_.emplace_back(row.real(column));
        break;
      default:
        cells_.emplace_back(row.text(column));
    }
  }
  [[nodiscard]] const Cell& cell(std::size_t row, int column) const {
    return cells_[row * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
  }

  int columns_;
  std::size_t changed_;
  std::vector<Cell> cells_;
};

/// What SQL can walk through as a list.
std::string json_of(const std::vector<std::int64_t>& numbers) {
  std::string json = "[";
  for (const std::int64_t number : numbers) {
    if (json.size() > 1) json += ',';
    json += std::to_string(number);
  }
  return json + ']';
}

void bind(Statement& statement, int at, const sql::Value& value, std::string& list) {
  std::visit(
      [&]<class T>(const T& held) {
        if constexpr (std::is_same_v<T, std::int64_t>) {
          statement.bind(at, held);
        } else if constexpr (std::is_same_v<T, double>) {
          statement.bind_real(at, held);
        } else if constexpr (std::is_same_v<T, bool>) {
          statement.bind(at, std::int64_t{held});
        } else if constexpr (std::is_same_v<T, sql::TextValue>) {
          statement.bind_text(at, held.value);
        } else if constexpr (std::is_same_v<T, sql::BytesValue>) {
          statement.bind_blob(at, held.value);
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          list = json_of(held);
          statement.bind_text(at, list);
        } else {
          statement.bind_null(at);
        }
      },
      value);
}

}  // namespace

std::vector<sql::Rows> SqliteStatements::answer(const sql::Batch& batch) {
  std::vector<sql::Rows> answers;
  answers.reserve(batch.size());
  for (const sql::Query& query : batch.queries()) answers.push_back(answer(query));
  return answers;
}

/// A row tells that its game has begun or ended as soon as the event is committed. A caller may
/// read the log next, so the row is returned only after the event is in RecentEvents: that takes as
/// long as the writer needs to add the events of one commit.
void SqliteSession::wait_for_events() {
  const auto hidden = recent_.hidden();
  if (!hidden) return;
  const auto newest = statements_.answer(sql::Query(kNewestEvent))[0].number(0);
  if (newest == *hidden) recent_.wait_until_shown(*hidden);
}

sql::Rows SqliteStatements::answer(const sql::Query& query) {
  Statement& statement = prepared(query.sql());
  std::vector<std::string> lists(query.values().size());
  for (std::size_t i = 0; i < query.values().size(); ++i) {
    bind(statement, static_cast<int>(i) + 1, query.values()[i], lists[i]);
  }
  return sql::Rows(std::make_unique<CopiedRows>(statement));
}

Statement& SqliteStatements::prepared(const sql::Text& sql) {
  const auto found = prepared_.find(sql.sqlite);
  if (found != prepared_.end()) return found->second;
  return prepared_.emplace(sql.sqlite, Statement(connection_, sql::sqlite_text(sql.sqlite)))
      .first->second;
}

}  // namespace tesela::store
