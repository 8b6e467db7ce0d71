// Whether there is a terminal that can be drawn on.
#pragma once

namespace tesela::cli {

/// Ends the program with exit status 2 and a sentence where standard input or output is not a
/// terminal, or one (TERM) that terminfo does not know or whose cursor cannot be placed.
void expect_terminal();

}  // namespace tesela::cli
