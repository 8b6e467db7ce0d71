#include "clients/cli/admin/readiness.h"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <string>
#include <utility>

#include "clients/cli/client/connect.h"

namespace tesela::cli {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr int kHttp11 = 11;

std::unexpected<Error> silent(const boost::system::error_code& error) {
  return refuse(ErrorCode::kUnavailable, "The server did not answer: " + error.message() + ".");
}

Task<Expected<void>> ask(ServerAddress server) {
  auto endpoints = co_await resolve(server);
  if (!endpoints) co_return std::unexpected(std::move(endpoints.error()));
  auto wire = co_await connect(std::move(*endpoints), server);
  if (!wire) co_return std::unexpected(std::move(wire.error()));
  http::request<http::empty_body> request(http::verb::get, "/readyz", kHttp11);
  request.set(http::field::host, to_text(server));
  request.keep_alive(false);
  const auto [write_error, written] = co_await http::async_write(*wire, request, kResult);
  if (write_error) co_return silent(write_error);
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  const auto [read_error, read] = co_await http::async_read(*wire, buffer, response, kResult);
  if (read_error) co_return silent(read_error);
  if (response.result() == http::status::ok) co_return Expected<void>{};
  std::string reason = std::move(response.body());
  reason.erase(reason.find_last_not_of(" \r\n") + 1);
  if (response.result() != http::status::service_unavailable || reason.empty()) {
    reason = "The server answered with HTTP status " + std::to_string(response.result_int()) + ".";
  }
  co_return refuse(ErrorCode::kUnavailable, std::move(reason));
}

}  // namespace

Task<Expected<void>> readiness(ServerAddress server) {
  return in_time(ask(std::move(server)), kConnectTimeMax);
}

}  // namespace tesela::cli
