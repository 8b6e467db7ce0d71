#include "clients/cli/client/connection.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

namespace tesela::cli {
namespace {

namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;

ssl::context& trust() {
  static ssl::context context = [] {
    ssl::context made(ssl::context::tls_client);
    made.set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                     ssl::context::no_tlsv1_1);
    made.set_default_verify_paths();
    made.set_verify_mode(ssl::verify_peer);
    return made;
  }();
  return context;
}

}  // namespace

Task<std::string> Connection::secure(std::string host) {
  tls_ = std::make_unique<ssl::stream<Socket>>(std::move(plain_), trust());
  SSL* connection = tls_->native_handle();
  boost::system::error_code not_an_address;
  boost::asio::ip::make_address(host, not_an_address);
  if (not_an_address) SSL_set_tlsext_host_name(connection, host.c_str());
  tls_->set_verify_callback(ssl::host_name_verification(host));
  const auto [error] = co_await tls_->async_handshake(ssl::stream_base::client, kResult);
  if (!error) co_return std::string{};
  const long verdict = SSL_get_verify_result(connection);
  if (verdict == X509_V_OK) co_return error.message();
  co_return "its certificate is not trusted (" +
      std::string{X509_verify_cert_error_string(verdict)} +
      "); SSL_CERT_FILE may name a file with its issuer";
}

void Connection::read_encrypted(std::vector<boost::asio::mutable_buffer> into, Handler handler) {
  tls_->async_read_some(
      into, boost::asio::bind_cancellation_slot(handler.cancelled, std::move(handler.call)));
}

void Connection::write_encrypted(std::vector<boost::asio::const_buffer> from, Handler handler) {
  tls_->async_write_some(
      from, boost::asio::bind_cancellation_slot(handler.cancelled, std::move(handler.call)));
}

void Connection::close() {
  boost::system::error_code ignored;
  socket().close(ignored);
}

Task<std::expected<HttpResponse, boost::system::error_code>> exchange(
    Connection& connection, boost::beast::flat_buffer& buffer, HttpRequest request) {
  const auto [write_error, written] = co_await http::async_write(connection, request, kResult);
  if (write_error) co_return std::unexpected(write_error);
  HttpResponse response;
  const auto [read_error, read] = co_await http::async_read(connection, buffer, response, kResult);
  if (read_error) co_return std::unexpected(read_error);
  co_return std::move(response);
}

}  // namespace tesela::cli
