// Who makes tables that hardly begin, and looks after them as a host and as an operator.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "clients/cli/client/connect_client.h"
#include "tests/sim/players/people.h"

namespace tesela::sim {

/// One table after another: seats a guest and bots, lets them go, looks at everything, and closes
/// the table or erases the guest.
class Host final : public Person {
 public:
  Host(cli::Executor executor, cli::ServerAddress server, std::string name,
       const std::string& admin_token);

  cli::Task<void> play() override;
  [[nodiscard]] std::uint64_t progress() const override { return done_; }
  [[nodiscard]] std::string standing() const override {
    return "is at " + table_ + ": " + trouble_;
  }

 private:
  cli::Task<bool> make_table();
  cli::Task<void> end();
  /// As the host, the guest or an operator. Whether it was done.
  template <class Response, class Request>
  cli::Task<bool> ask(cli::ConnectClient& client, const char* method, const Request& request);
  /// Again until it was done, or refused for good.
  template <class Response, class Request>
  cli::Task<bool> until_done(cli::ConnectClient& client, const char* method,
                             const Request& request);
  cli::Task<void> look();
  cli::Task<void> seat();

  cli::ConnectClient own_;
  cli::ConnectClient of_guest_;
  cli::ConnectClient operators_;
  std::string guest_token_;
  std::string guest_id_;
  std::string table_;
  std::string invite_;
  std::uint64_t tables_{};
  std::uint64_t done_{};
};

}  // namespace tesela::sim
