#include <CLI/CLI.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/client/connect.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {
namespace {

namespace http = boost::beast::http;

constexpr int kHttp11 = 11;

std::unexpected<Error> silent(const boost::system::error_code& error) {
  return refuse(ErrorCode::kUnavailable, "The server did not answer: " + error.message() + ".");
}

Task<Expected<void>> ask(ServerAddress server) {
  auto endpoints = co_await resolve(server);
  if (!endpoints) co_return std::unexpected(std::move(endpoints.error()));
  auto connection = co_await connect(std::move(*endpoints), server);
  if (!connection) co_return std::unexpected(std::move(connection.error()));
  HttpRequest request(http::verb::get, "/readyz", kHttp11);
  request.set(http::field::host, to_text(server));
  request.keep_alive(false);
  boost::beast::flat_buffer buffer;
  auto response = co_await exchange(*connection, buffer, std::move(request));
  if (!response) co_return silent(response.error());
  if (response->result() == http::status::ok) co_return Expected<void>{};
  std::string reason = std::move(response->body());
  reason.erase(reason.find_last_not_of(" \r\n") + 1);
  if (response->result() != http::status::service_unavailable || reason.empty()) {
    reason = "The server answered with HTTP status " + std::to_string(response->result_int()) + ".";
  }
  co_return refuse(ErrorCode::kUnavailable, std::move(reason));
}

/// What GET /readyz answers. Errors: kUnavailable, with the server's reason, or with why it cannot
/// be asked within kConnectTimeMax.
Task<Expected<void>> readiness(ServerAddress server) {
  return in_time(ask(std::move(server)), kConnectTimeMax);
}

}  // namespace

void add_health(CLI::App& app) {
  auto server = std::make_shared<ServerAddress>();
  auto& health = add_command(
      app, "health",
      "Say whether a server is ready; the exit code is 1, with the reason, when it is not");
  add_ops_server_option(health, *server);
  health.callback([server] {
    const auto ready = await(readiness(*server));
    if (!ready) fail(ready.error().message);
    print(std::cout, "ready\n");
  });
}

}  // namespace tesela::cli
