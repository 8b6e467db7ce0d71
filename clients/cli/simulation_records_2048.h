// What can be made of a simulation of 2048 while it runs: a transcript, a log, and a board to look
// at.
#pragma once

#include <chrono>
#include <iosfwd>
#include <memory>

#include "clients/cli/simulation_2048.h"

namespace tesela::cli {

/// For people: every board, move, stage and score. `out` outlives it, as in the others.
[[nodiscard]] std::unique_ptr<Observer2048> make_transcript(std::ostream& out);

/// For programs: one JSON object a line. `{"event":"start", …}` has the game's number, its seed,
/// its configuration and the board; `{"event":"move", …}` the direction, what spawned where, the
/// board after it and the score; `{"event":"end", …}` the outcome. Values are tile values; 0 is
/// empty.
[[nodiscard]] std::unique_ptr<Observer2048> make_log(std::ostream& out);

/// For looking on: the board after every move, and then a pause. On a terminal (`in_place`) each
/// board replaces the one before.
[[nodiscard]] std::unique_ptr<Observer2048> make_screen(std::ostream& out,
                                                        std::chrono::milliseconds delay,
                                                        bool in_place);

}  // namespace tesela::cli
