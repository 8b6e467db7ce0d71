#include "clients/cli/play/analysis.h"

#include <algorithm>
#include <utility>

#include "clients/cli/base/value_text.h"
#include "clients/cli/client/server_stream.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

/// Beside the better move, a line for this many of the others.
constexpr int kOthersMax = 2;

}  // namespace

Task<Expected<Analysis>> Analysis::read(ServerAddress server, std::string table_id) {
  lobby::v1::AnalyseRequest request;
  request.set_table_id(std::move(table_id));
  ServerStream stream(std::move(server), {});
  auto begun = co_await stream.start("HistoryService/Analyse", request.SerializeAsString());
  if (!begun) co_return std::unexpected(std::move(begun.error()));
  Analysis analysis;
  for (;;) {
    const auto bytes = co_await stream.next();
    if (!bytes) co_return std::unexpected(bytes.error());
    if (!*bytes) break;
    lobby::v1::AnalyseResponse response;
    if (!response.ParseFromString(**bytes)) {
      co_return refuse(ErrorCode::kInternal, "The server's answer cannot be read.");
    }
    if (response.has_about()) analysis.about_ = std::move(*response.mutable_about());
    if (response.has_move()) {
      const std::uint64_t version = response.move().version();
      analysis.moves_.insert_or_assign(version, std::move(*response.mutable_move()));
    }
  }
  if (analysis.about_.measure().empty()) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "No strategy of this game compares moves, so there is no analysis.");
  }
  co_return analysis;
}

std::optional<double> Analysis::lost_by(const lobby::v1::AnalysedMove& move) {
  if (move.best().empty() || !move.best(0).has_value() || !move.played().has_value()) {
    return std::nullopt;
  }
  // The best by tries is not always the best by value.
  return std::max(0.0, move.best(0).value() - move.played().value());
}

std::string Analysis::verdict(double lost) const {
  if (lost >= 2 * about_.mistake()) return "blunder";
  if (lost >= about_.mistake()) return "mistake";
  return lost >= about_.mistake() / 2 ? "inaccuracy" : "";
}

Printed Analysis::lines_of(std::uint64_t version, const TableLines& before) const {
  const auto found = moves_.find(version);
  if (found == moves_.end() || found->second.best().empty()) return {};
  const lobby::v1::AnalysedMove& move = found->second;
  const auto& best = move.best(0);
  if (!best.has_value()) return {};
  const auto text = [&](double value) { return worth_text(about_.measure(), value, best.value()); };
  const auto lost = lost_by(move);
  Printed lines = Printed::of("  {}: ", about_.measure());
  if (!is_relative(about_.measure())) {
    lines += Printed::of("{}", text(best.value()));
  } else {
    // The best is worth 100 % in every position, so the played move says more.
    lines += lost ? Printed::of("{} of the best", text(move.played().value()))
                  : Printed::of("not judged");
  }
  const std::string word = lost ? verdict(*lost) : std::string{};
  if (word.empty()) return lines + Printed::of("\n");
  lines += Printed::of("; {}, {} lost\n", word, text(*lost));
  lines += Printed::of("  better: {}\n", before.proposal(best.move(), best.gain()));
  for (int other = 1; other < std::min(move.best_size(), 1 + kOthersMax); ++other) {
    const auto& judged = move.best(other);
    if (!judged.has_value() || judged.move().value() == move.played().move().value()) continue;
    lines += Printed::of("  or {} ({})\n", before.proposal(judged.move(), judged.gain()),
                         text(judged.value()));
  }
  return lines;
}

Printed Analysis::summary(const std::vector<std::string>& names) const {
  struct Counts {
    int moves = 0;
    std::map<std::string, int> words;
    double lost = 0;
    double best = 0;
  };
  std::map<std::uint32_t, Counts> seats;
  for (const auto& [version, move] : moves_) {
    const auto lost = lost_by(move);
    if (!lost) continue;
    Counts& counts = seats[move.seat()];
    ++counts.moves;
    ++counts.words[verdict(*lost)];
    counts.lost += *lost;
    counts.best += move.best(0).value();
  }
  Printed lines;
  for (auto& [seat, counts] : seats) {
    lines += Printed::of(
        "{}: {} moves judged, {} inaccuracies, {} mistakes, {} blunders, {} lost a move ({})\n",
        name_of(seat, names), counts.moves, counts.words["inaccuracy"], counts.words["mistake"],
        counts.words["blunder"],
        worth_text(about_.measure(), counts.lost / counts.moves, counts.best / counts.moves),
        about_.measure());
  }
  return lines;
}

}  // namespace tesela::cli
