#include "server/games/games.h"

#include <google/protobuf/any.pb.h>

#include <algorithm>

namespace tesela::games {
Expected<const GameEntry*> find_game(std::string_view name) {
  const auto games = all_games();
  const auto found = std::ranges::find(games, name, &GameEntry::name);
  if (found != games.end()) return &*found;
  std::string known;
  for (const auto& game : games) {
    known += (known.empty() ? "" : ", ") + std::string(game.name);
  }
  return refuse(ErrorCode::kInvalidArgument,
                "There is no game '" + std::string(name) + "'. Known games: " + known + ".");
}

std::vector<Listed> all_strategies() {
  std::vector<Listed> all;
  for (const GameEntry& game : all_games()) {
    for (const Listed& strategy : game.strategies()) all.push_back(strategy);
  }
  return all;
}

Expected<std::string> config_inside(std::string_view any) {
  google::protobuf::Any config;
  if (!config.ParseFromArray(any.data(), static_cast<int>(any.size()))) {
    return refuse(ErrorCode::kCorrupt, "The table's configuration cannot be read.");
  }
  return std::move(*config.mutable_value());
}

}  // namespace tesela::games
