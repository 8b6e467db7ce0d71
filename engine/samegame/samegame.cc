#include "engine/samegame/samegame.h"

#include <string>

#include "engine/core/game.h"

namespace tesela::samegame {

namespace {

/// Why a move whose cell has no group is refused.
std::unexpected<Error> why_refused(bool over, bool on_the_board, bool tile) {
  if (over) {
    return refuse(ErrorCode::kGameOver, "The game is over.");
  }
  if (!on_the_board) {
    return refuse(ErrorCode::kIllegalMove, "There is no such cell on this board.");
  }
  if (!tile) {
    return refuse(ErrorCode::kIllegalMove, "That cell is empty.");
  }
  return refuse(ErrorCode::kIllegalMove,
                "That tile has no neighbour of its colour; a group needs at least two tiles.");
}

/// R-SG-5, for the tiles of one colour, or for all.
std::int32_t penalty(std::uint32_t left) {
  return left == 0 ? 0 : points_of(left);
}

}  // namespace

template <class AnyBoard>
Outcome outcome(const StateOn<AnyBoard>& s) {
  if (!s.board.playable().empty()) {
    return Outcome::kInPlay;
  }
  return s.board.tiles().empty() ? Outcome::kCleared : Outcome::kStuck;
}

template <class AnyBoard>
std::int32_t final_bonus(const StateOn<AnyBoard>& s) {
  const std::uint32_t left = s.board.tiles().size();
  if (left == 0) {
    return kClearedBonus;
  }
  std::int32_t bonus = 0;
  switch (s.setting.penalty) {
    case Penalty::kPerColour:
      for (unsigned colour = 1; colour <= s.setting.colours; ++colour) {
        bonus -= penalty(s.board.tiles_of(colour).size());
      }
      break;
    case Penalty::kRemaining:
      bonus -= penalty(left);
      break;
    case Penalty::kNone:
      break;
  }
  return bonus;
}

template <class AnyBoard>
std::int32_t score(const StateOn<AnyBoard>& s) {
  return s.points + (outcome(s) == Outcome::kInPlay ? 0 : final_bonus(s));
}

template <class AnyBoard>
std::vector<Group> groups(const StateOn<AnyBoard>& s) {
  using Set = typename AnyBoard::Set;
  std::vector<Group> groups;
  Set left = s.board.playable();
  each_cell<Set>(s.setting, [&](std::uint16_t, auto place) {
    if (left.contains(place)) {
      const Set group = s.board.group(place);
      groups.push_back({.cells = cells_of(s.setting, group), .points = points_of(group.size())});
      left -= group;
    }
  });
  return groups;
}

template <class AnyBoard>
Expected<StateOn<AnyBoard>> GameOn<AnyBoard>::start(const Config& config, Rng& rng) {
  if (auto valid = validate(config); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  const Setting& setting = config.setting;
  if (!AnyBoard::has_room(setting.rows, setting.columns, setting.colours)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A small board has at most " + std::to_string(AnyBoard::kRowsMax) + " rows, " +
                      std::to_string(AnyBoard::kColumnsMax) + " columns and " +
                      std::to_string(AnyBoard::kNumberMax) + " colours.");
  }
  State s{.setting = setting};
  each_cell<Set>(setting, [&](std::uint16_t cell, auto place) {
    s.board.put(place,
                config.cells.empty() ? 1 + rng.uniform(setting.colours) : config.cells[cell]);
  });
  return s;
}

template <class AnyBoard>
std::optional<Seat> GameOn<AnyBoard>::turn(const State& s) {
  return outcome(s) == Outcome::kInPlay ? std::optional{kOnlySeat} : std::nullopt;
}

template <class AnyBoard>
Result GameOn<AnyBoard>::standings(const State& s) {
  Result standings{.seats = 1, .standings = {}};
  standings.standings[0] = {.points = score(s), .rank = 1};
  return standings;
}

template <class AnyBoard>
std::optional<Result> GameOn<AnyBoard>::result(const State& s) {
  if (turn(s)) {
    return std::nullopt;
  }
  return standings(s);
}

template <class AnyBoard>
auto GameOn<AnyBoard>::group_of(const State& s, Seat seat, const Move& move) -> Expected<Set> {
  if (seat != kOnlySeat) {
    return refuse(ErrorCode::kNotYourTurn, "SameGame is played from seat 0 alone.");
  }
  const bool on_the_board = move.cell < s.setting.cell_count();
  const auto place = on_the_board ? place_of<Set>(s.setting, move.cell) : 0;
  const bool tile = on_the_board && s.board.number(place) != kEmpty;
  if (tile) {
    if (const Set group = s.board.group(place); group.size() >= 2) {
      return group;
    }
  }
  return why_refused(!turn(s), on_the_board, tile);
}

SmallState small_of(const State& s) {
  SmallState small{.setting = s.setting, .points = s.points, .board = {}};
  each_cell<SmallGame::Set>(s.setting, [&](std::uint16_t cell, auto place) {
    small.board.put(place, s.board.number(place_of<Game::Set>(s.setting, cell)));
  });
  return small;
}

template Outcome outcome(const State&);
template Outcome outcome(const SmallState&);
template std::int32_t final_bonus(const State&);
template std::int32_t final_bonus(const SmallState&);
template std::int32_t score(const State&);
template std::int32_t score(const SmallState&);
template std::vector<Group> groups(const State&);
template std::vector<Group> groups(const SmallState&);
template struct GameOn<LargeBoard>;
template struct GameOn<SmallBoard>;

std::string draw(const Setting& setting, std::span<const Colour> cells) {
  std::string text;
  for (std::uint16_t cell = 0; cell < setting.cell_count(); ++cell) {
    const Colour colour = cells[cell];
    text.push_back(colour == kEmpty ? '.' : static_cast<char>('0' + colour));
    text.push_back((cell + 1) % setting.columns == 0 ? '\n' : ' ');
  }
  return text;
}

template <class AnyBoard>
Playout<AnyBoard> play_out(const StateOn<AnyBoard>& s, Rng& rng) {
  Playout<AnyBoard> playout{.end = s};
  NoStages untold;
  for (;; ++playout.moves) {
    AnyBoard& board = playout.end.board;
    const typename AnyBoard::Set playable = board.playable();
    const std::uint32_t count = playable.size();
    if (count == 0) {
      return playout;
    }
    const auto group = board.group(playable.nth(rng.uniform(count)));
    playout.end.points += remove_group(s.setting, board, group, untold);
  }
}

template Playout<LargeBoard> play_out(const State&, Rng&);
template Playout<SmallBoard> play_out(const SmallState&, Rng&);

}  // namespace tesela::samegame
