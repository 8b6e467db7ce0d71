// `tesela verify`: whether the record of a game is true.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_verify(CLI::App& app);

}  // namespace tesela::cli
