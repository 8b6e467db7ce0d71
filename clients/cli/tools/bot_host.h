// Where remote bots offer themselves to a tournament: LobbyService.SignIn and BotService
// over gRPC, as on a server, so that the same programs play here and there.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "clients/cli/games/remote_strategy.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// Any thread.
class BotHost final : public RemoteBots {
 public:
  /// By the name of each bot that is expected ("ext/NAME"), how long it has for a move.
  using Expectations = std::map<std::string, std::chrono::microseconds>;

  /// Listens at `address` ("localhost:9090"; port 0 for any that is free) for bots of `game`.
  /// kUnavailable where that cannot be.
  [[nodiscard]] static Expected<std::unique_ptr<BotHost>> listen(const std::string& address,
                                                                 const std::string& game,
                                                                 const Expectations& expected);
  /// Ends all streams.
  ~BotHost() override;

  [[nodiscard]] int port() const;
  /// Returns when every bot that is expected has come.
  void wait_for_all();
  /// The bots whose streams were ended because they did not read.
  [[nodiscard]] std::set<std::string> cut_off() const;

  [[nodiscard]] std::optional<std::string> ask(const std::string& bot, const std::string& config,
                                               games::BotRequest request,
                                               std::chrono::microseconds time) override;

 private:
  class Services;

 public:
  explicit BotHost(std::unique_ptr<Services> services);

 private:
  std::unique_ptr<Services> services_;
};

}  // namespace tesela::cli
