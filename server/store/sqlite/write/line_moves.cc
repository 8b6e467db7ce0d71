#include "server/store/sqlite/write/line_moves.h"

#include <string>
#include <utility>

#include "server/store/sql/boards.h"

namespace tesela::store {
namespace {

// The triggers are of this connection alone.
std::string triggers_on(const sql::CountedLines& source) {
  const std::string lines = source.lines;
  const auto note = [&](const std::string& row, const char* added) {
    return "SELECT note_line(" + row + "." + source.board + ", " + row + ".points, " + row +
           ".at_ms, " + row + ".player_id, " + added + ");";
  };
  return "CREATE TEMP TRIGGER " + lines + "_added AFTER INSERT ON main." + lines + " BEGIN " +
         note("NEW", "1") + " END; CREATE TEMP TRIGGER " + lines +
         "_removed AFTER DELETE ON main." + lines + " BEGIN " + note("OLD", "0") +
         " END; CREATE TEMP TRIGGER " + lines + "_moved AFTER UPDATE OF points, at_ms ON main." +
         lines + " WHEN OLD.points <> NEW.points OR OLD.at_ms <> NEW.at_ms BEGIN " +
         note("OLD", "0") + note("NEW", "1") + " END;";
}

}  // namespace

LineMoves::LineMoves(Connection& connection)
    : ratings_(connection, sql::kRatingLines), scores_(connection, sql::kScoreLines) {
  // Harmless: a trigger of another schema could only make a count wrong.
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_INNOCUOUS;
  if (sqlite3_create_function_v2(connection.handle(), "note_line", 5, kFlags, this, note, nullptr,
                                 nullptr, nullptr) != SQLITE_OK) {
    throw last_error(connection.handle());
  }
  connection.run(triggers_on(sql::kRatingLines) + triggers_on(sql::kScoreLines));
}

void LineMoves::note(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  Move move{
      .board = sqlite3_value_int64(values[0]),
      .place = {.points = sqlite3_value_int64(values[1]),
                .at_ms = sqlite3_value_int64(values[2]),
                .player = PlayerId{static_cast<std::uint64_t>(sqlite3_value_int64(values[3]))}},
      .added = sqlite3_value_int(values[4]) != 0};
  if (sqlite3_value_type(values[0]) == SQLITE_TEXT) {
    move.board = std::string(reinterpret_cast<const char*>(sqlite3_value_text(values[0])),
                             static_cast<std::size_t>(sqlite3_value_bytes(values[0])));
  }
  static_cast<LineMoves*>(sqlite3_user_data(context))->moves_.push_back(std::move(move));
}

void LineMoves::count() {
  for (const Move& move : std::exchange(moves_, {})) {
    BoardCounter& counter = std::holds_alternative<std::string>(move.board) ? ratings_ : scores_;
    if (move.added) {
      counter.added(move.board, move.place);
    } else {
      counter.removed(move.board, move.place);
    }
  }
}

}  // namespace tesela::store
