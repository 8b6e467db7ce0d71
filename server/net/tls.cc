#include "server/net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <ctime>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace tesela::net {
namespace {

namespace ssl = boost::asio::ssl;

// ALPN protocol lists (RFC 7301, 3.1).
constexpr std::array<unsigned char, 9> kHttp{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
constexpr std::array<unsigned char, 3> kHttp2{2, 'h', '2'};

// A client that offers only other protocols is accepted without ALPN.
template <const auto& kProtocol>
int choose_protocol(SSL* /*connection*/, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void* /*unused*/) {
  unsigned char* match = nullptr;
  if (SSL_select_next_proto(&match, size, kProtocol.data(), kProtocol.size(), offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

Tls::Context new_context(SSL_CTX_alpn_select_cb_func choose) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                       ssl::context::no_tlsv1_1 | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_alpn_select_cb(context->native_handle(), choose, nullptr);
  return context;
}

std::unexpected<Error> unusable(const char* what, const std::filesystem::path& file,
                                const boost::system::error_code& error) {
  ERR_clear_error();
  return refuse(ErrorCode::kInvalidArgument, std::string{"the "} + what + " " + file.string() +
                                                 " cannot be used: " + error.message() +
                                                 "; give a PEM file that the server may read");
}

// Both contexts use the same pair, even if the files change meanwhile.
void copy_pair(SSL_CTX* from, SSL_CTX* to) {
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs(from, static_cast<void*>(&chain));
  if (SSL_CTX_use_certificate(to, SSL_CTX_get0_certificate(from)) != 1 ||
      SSL_CTX_use_PrivateKey(to, SSL_CTX_get0_privatekey(from)) != 1 ||
      SSL_CTX_set1_chain(to, chain) != 1) {
    throw std::bad_alloc{};
  }
}

}  // namespace

Expected<Tls::Pair> Tls::read(const CertificateFiles& files) {
  const Context http = new_context(choose_protocol<kHttp>);
  boost::system::error_code error;
  http->use_certificate_chain_file(files.certificate.string(), error);
  if (error) return unusable("certificate", files.certificate, error);
  // Also refuses a key that does not match the certificate.
  http->use_private_key_file(files.key.string(), ssl::context::pem, error);
  if (error) return unusable("key", files.key, error);
  const Context grpc = new_context(choose_protocol<kHttp2>);
  copy_pair(http->native_handle(), grpc->native_handle());
  return std::make_shared<const Contexts>(Contexts{.http = http, .grpc = grpc});
}

Expected<std::unique_ptr<Tls>> Tls::open(CertificateFiles files) {
  auto contexts = read(files);
  if (!contexts) return std::unexpected(std::move(contexts.error()));
  return std::unique_ptr<Tls>(new Tls(std::move(files), std::move(*contexts)));
}

std::chrono::sys_seconds Tls::ends() const {
  const X509* certificate = SSL_CTX_get0_certificate(http()->native_handle());
  std::tm end{};
  if (certificate == nullptr || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) != 1) {
    return {};
  }
  return std::chrono::sys_seconds{std::chrono::seconds{::timegm(&end)}};
}

Expected<void> Tls::reload() {
  auto contexts = read(files_);
  if (!contexts) return std::unexpected(std::move(contexts.error()));
  contexts_.store(std::move(*contexts));
  return {};
}

}  // namespace tesela::net
