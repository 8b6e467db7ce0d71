#include "clients/cli/simulate/run_simulation.h"

namespace tesela::cli {
namespace {

constexpr const char* kStandardOutput = "-";

}  // namespace

Expected<RecordFiles> RecordFiles::of(const SimulateOptions& options) {
  const int on_standard_output = (options.transcript == kStandardOutput ? 1 : 0) +
                                 (options.log == kStandardOutput ? 1 : 0) +
                                 (options.delay_ms ? 1 : 0);
  if (on_standard_output > 1) {
    return refuse(ErrorCode::kInvalidArgument,
                  "Only one of --transcript -, --log - and --delay can have standard output.");
  }
  const bool to_output = on_standard_output == 0 || options.delay_ms;
  return RecordFiles{to_output ? std::cout : std::cerr};
}

Expected<std::ostream*> RecordFiles::open(const std::string& path) {
  if (path.empty()) return nullptr;
  if (path == kStandardOutput) return &std::cout;
  files_.push_back({path, std::ofstream{path}});
  if (!files_.back().out) return refuse(ErrorCode::kUnavailable, "Cannot write '" + path + "'.");
  return &files_.back().out;
}

Expected<void> RecordFiles::finish() {
  for (auto& file : files_) {
    file.out.close();
    if (!file.out) {
      return refuse(ErrorCode::kUnavailable, "Cannot write all of '" + file.path + "'.");
    }
  }
  std::cout.flush();
  if (!std::cout) return refuse(ErrorCode::kUnavailable, "Cannot write to standard output.");
  return {};
}

Expected<std::vector<BotText>> bots_by_seat(const std::vector<BotText>& bots, std::uint8_t seats) {
  if (bots.size() == 1) return std::vector<BotText>(seats, bots.front());
  if (bots.size() == seats) return bots;
  return refuse(ErrorCode::kInvalidArgument,
                "There are " + std::to_string(bots.size()) + " bots for " + std::to_string(seats) +
                    (seats == 1 ? " seat" : " seats") + "; name one for all, or one for each.");
}

}  // namespace tesela::cli
