// Who has an account that lasts: signs in on further devices, ends sessions, takes in guests, and
// is challenged.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/client/connect_client.h"
#include "tests/sim/players/people.h"

namespace tesela::sim {

/// One thing after another, each until it is acknowledged: then it holds, at every server.
class Keeper final : public Person {
 public:
  Keeper(cli::Executor executor, cli::ServerAddress server, std::string name,
         const std::string& admin_token);

  cli::Task<void> play() override;
  [[nodiscard]] std::uint64_t progress() const override { return done_; }
  /// A recovery code takes that long at most.
  [[nodiscard]] std::chrono::milliseconds thinks() const override;
  [[nodiscard]] std::string standing() const override { return "keeps an account: " + trouble_; }

 private:
  /// The answer of the first try that is acknowledged. Empty: refused for good, or `stop`.
  template <class Response, class Request>
  cli::Task<std::optional<Response>> get(cli::ConnectClient& client, const char* method,
                                         const Request& request,
                                         std::chrono::milliseconds rest = {});
  /// The same, of what must not be refused.
  template <class Response, class Request>
  cli::Task<std::optional<Response>> need(cli::ConnectClient& client, const char* method,
                                          const Request& request,
                                          std::chrono::milliseconds rest = {});
  cli::Task<void> sign_in_elsewhere();
  cli::Task<void> end_other_sessions(std::string older);
  cli::Task<void> take_in_guest();
  cli::Task<void> be_challenged();
  cli::Task<void> close(const std::string& table);
  /// A token whose session has ended is refused, some time later.
  cli::Task<void> expect_refused(std::string token, const std::string& why);

  cli::ConnectClient own_;
  cli::ConnectClient operators_;
  std::uint64_t guests_{};
  std::uint64_t done_{};
};

}  // namespace tesela::sim
