// `tesela admin`: what an operator asks of a server and has it do.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

void add_admin(CLI::App& app);

}  // namespace tesela::cli
