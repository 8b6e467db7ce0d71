// Backup and restore, as commands.
#pragma once

namespace tesela {

/// Does what a command line asks that ops::is_data_command has seen, and says on standard output
/// what was done, or on standard error why not. The exit status: 0 done, 1 not, 2 not understood.
int maintain(int argc, const char* const* argv);

}  // namespace tesela
