// The tables of boards and their counts (FORMAT.md, "On PostgreSQL"), by the kind of board.
#pragma once

namespace tesela::store::postgres {

/// Their names, and that of the column that tells the board, for statements that are made of them.
struct CountedLines {
  const char* lines;
  const char* counts;
  const char* changes;  // of lines, which are not in the counts yet
  const char* board;
};

inline constexpr CountedLines kRatingLines{
    .lines = "ratings", .counts = "rating_counts", .changes = "rating_changes", .board = "game"};
inline constexpr CountedLines kScoreLines{
    .lines = "scores", .counts = "score_counts", .changes = "score_changes", .board = "board_id"};

}  // namespace tesela::store::postgres
