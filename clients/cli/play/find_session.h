// A search for opponents, shown on the terminal, until there is a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/client/back_off.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/table/search_screen.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/matchmaking.pb.h"

namespace tesela::cli {

/// One thread; the terminal outlives it.
class FindSession {
 public:
  struct Options {
    ServerAddress server;
    std::string token;
    lobby::v1::FindRequest request;
    std::uint64_t random_seed;
  };

  FindSession(Executor executor, Options options, Terminal& terminal);

  /// The table; empty when the player quits. After a lost connection the search begins
  /// again. Errors: the server's refusals.
  Task<Expected<std::optional<lobby::v1::Table>>> run();

 private:
  Task<Expected<lobby::v1::Table>> search();
  Task<Expected<lobby::v1::Table>> one_call();
  Task<void> quit_key();
  void draw();

  Executor executor_;
  Options options_;
  Terminal& terminal_;
  SearchPicture picture_;
  BackOff back_off_;
};

}  // namespace tesela::cli
