// The worth of a finished game's moves, in lines of text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/base/printed.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "clients/cli/table/table_lines.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::cli {

/// One thread.
class Analysis {
 public:
  /// Reads the whole analysis of a game (HistoryService.Analyse), which takes the server up to
  /// about half a minute. Errors: what the server answers; kInvalidArgument for a game whose moves
  /// no strategy compares.
  [[nodiscard]] static Task<Expected<Analysis>> read(ServerAddress server, std::string table_id);

  /// Lines about the move that led to `version`, each with its end of line; empty for one that was
  /// not judged. `before` has told the position that it was played in, and tells no other before
  /// the lines are printed.
  [[nodiscard]] Printed lines_of(std::uint64_t version, const TableLines& before) const;
  /// A line for each seat: how many of its moves were mistakes, and their loss.
  [[nodiscard]] Printed summary(const std::vector<std::string>& names) const;

 private:
  /// The loss of the played move against the best; empty without an estimate.
  [[nodiscard]] static std::optional<double> lost_by(const lobby::v1::AnalysedMove& move);
  [[nodiscard]] std::string verdict(double lost) const;

  lobby::v1::AnalysisAbout about_;
  std::map<std::uint64_t, lobby::v1::AnalysedMove> moves_;  // by version
};

}  // namespace tesela::cli
