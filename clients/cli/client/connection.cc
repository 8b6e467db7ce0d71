#include "clients/cli/client/connection.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>

namespace tesela::cli {
namespace {

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

void Connection::close() {
  boost::system::error_code ignored;
  socket().close(ignored);
}

}  // namespace tesela::cli
