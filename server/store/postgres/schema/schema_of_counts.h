// The part of the schema that counts the lines of boards (FORMAT.md, "On PostgreSQL").
#pragma once

#include <array>

namespace tesela::store::postgres {

// How many lines of a board are above a place is known without counting them all. `below` is the
// negative of the points: in the order of a board all columns then ascend. A transaction that
// changes a line only adds what has changed, so that none waits for another.
inline constexpr const char* kCountRatings =
    "INSERT INTO rating_counts (game, below, at_ms, player_id, lines)"
    " SELECT game, CASE WHEN nth = 1 THEN -9223372036854775807 ELSE -points END,"
    "  CASE WHEN nth = 1 THEN 0 ELSE at_ms END, CASE WHEN nth = 1 THEN 0 ELSE player_id END,"
    "  least(512, total - nth + 1)"
    " FROM (SELECT game, points, at_ms, player_id,"
    "   row_number() OVER (PARTITION BY game ORDER BY points DESC, at_ms, player_id) AS nth,"
    "   count(*) OVER (PARTITION BY game) AS total FROM ratings) AS numbered"
    " WHERE nth % 512 = 1";
inline constexpr const char* kCountScores =
    "INSERT INTO score_counts (board_id, below, at_ms, player_id, lines)"
    " SELECT board_id, CASE WHEN nth = 1 THEN -9223372036854775807 ELSE -points END,"
    "  CASE WHEN nth = 1 THEN 0 ELSE at_ms END, CASE WHEN nth = 1 THEN 0 ELSE player_id END,"
    "  least(512, total - nth + 1)"
    " FROM (SELECT board_id, points, at_ms, player_id,"
    "   row_number() OVER (PARTITION BY board_id ORDER BY points DESC, at_ms, player_id) AS nth,"
    "   count(*) OVER (PARTITION BY board_id) AS total FROM scores) AS numbered"
    " WHERE nth % 512 = 1";
inline constexpr std::array kCountedBoards{
    "CREATE TABLE rating_counts ("
    "  game text COLLATE \"C\" NOT NULL,"
    "  below bigint NOT NULL,"
    "  at_ms bigint NOT NULL,"
    "  player_id bigint NOT NULL,"
    "  lines bigint NOT NULL,"
    "  PRIMARY KEY (game, below, at_ms, player_id))",
    "CREATE TABLE rating_changes ("
    "  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,"
    "  game text COLLATE \"C\" NOT NULL,"
    "  below bigint NOT NULL,"
    "  at_ms bigint NOT NULL,"
    "  player_id bigint NOT NULL,"
    "  lines bigint NOT NULL CHECK (lines IN (-1, 1)))",
    "CREATE INDEX rating_changes_by_place ON rating_changes (game, below, at_ms, player_id)",
    "CREATE FUNCTION change_rating_counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    "  IF TG_OP <> 'INSERT' THEN"
    "   INSERT INTO rating_changes (game, below, at_ms, player_id, lines)"
    "    VALUES (OLD.game, -OLD.points, OLD.at_ms, OLD.player_id, -1); END IF;"
    "  IF TG_OP <> 'DELETE' THEN"
    "   INSERT INTO rating_changes (game, below, at_ms, player_id, lines)"
    "    VALUES (NEW.game, -NEW.points, NEW.at_ms, NEW.player_id, 1); END IF;"
    "  RETURN NULL; END $$",
    "CREATE TRIGGER ratings_counted AFTER INSERT OR UPDATE OR DELETE ON ratings"
    "  FOR EACH ROW EXECUTE FUNCTION change_rating_counts()",

    "CREATE TABLE score_counts ("
    "  board_id bigint NOT NULL REFERENCES boards (id),"
    "  below bigint NOT NULL,"
    "  at_ms bigint NOT NULL,"
    "  player_id bigint NOT NULL,"
    "  lines bigint NOT NULL,"
    "  PRIMARY KEY (board_id, below, at_ms, player_id))",
    "CREATE TABLE score_changes ("
    "  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,"
    "  board_id bigint NOT NULL,"
    "  below bigint NOT NULL,"
    "  at_ms bigint NOT NULL,"
    "  player_id bigint NOT NULL,"
    "  lines bigint NOT NULL CHECK (lines IN (-1, 1)))",
    "CREATE INDEX score_changes_by_place ON score_changes (board_id, below, at_ms, player_id)",
    "CREATE FUNCTION change_score_counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    "  IF TG_OP <> 'INSERT' THEN"
    "   INSERT INTO score_changes (board_id, below, at_ms, player_id, lines)"
    "    VALUES (OLD.board_id, -OLD.points, OLD.at_ms, OLD.player_id, -1); END IF;"
    "  IF TG_OP <> 'DELETE' THEN"
    "   INSERT INTO score_changes (board_id, below, at_ms, player_id, lines)"
    "    VALUES (NEW.board_id, -NEW.points, NEW.at_ms, NEW.player_id, 1); END IF;"
    "  RETURN NULL; END $$",
    "CREATE TRIGGER scores_counted AFTER INSERT OR UPDATE OR DELETE ON scores"
    "  FOR EACH ROW EXECUTE FUNCTION change_score_counts()",
};
inline constexpr std::array kCountAnew{"DELETE FROM rating_changes",
                                       "DELETE FROM rating_counts",
                                       "DELETE FROM score_changes",
                                       "DELETE FROM score_counts",
                                       kCountRatings,
                                       kCountScores};

}  // namespace tesela::store::postgres
