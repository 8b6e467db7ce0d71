#include "server/net/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace tesela::net {
namespace {

namespace ssl = boost::asio::ssl;

// HTTP/1.1 is all that is spoken here; a client that offers only other protocols may still come.
int choose_protocol(SSL* /*connection*/, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void* /*unused*/) {
  static constexpr std::array<unsigned char, 9> kHttp{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* match = nullptr;
  if (SSL_select_next_proto(&match, size, kHttp.data(), kHttp.size(), offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

std::unexpected<Error> unusable(const char* what, const std::filesystem::path& file,
                                const boost::system::error_code& error) {
  ERR_clear_error();
  return refuse(ErrorCode::kInvalidArgument, std::string{"the "} + what + " " + file.string() +
                                                 " cannot be used: " + error.message() +
                                                 "; give a PEM file that the server may read");
}

Expected<Tls::Context> read(const ops::CertificateFiles& files) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                       ssl::context::no_tlsv1_1 | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_alpn_select_cb(context->native_handle(), choose_protocol, nullptr);
  boost::system::error_code error;
  context->use_certificate_chain_file(files.certificate.string(), error);
  if (error) return unusable("certificate", files.certificate, error);
  // A key of another certificate is refused here too.
  context->use_private_key_file(files.key.string(), ssl::context::pem, error);
  if (error) return unusable("key", files.key, error);
  return context;
}

/// The pair of a context, with what else the certificate's file holds.
Expected<std::string> pem_of(SSL_CTX* context) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> pem{BIO_new(BIO_s_mem()), BIO_free};
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get_extra_chain_certs(context, static_cast<void*>(&chain));
  bool whole = pem && PEM_write_bio_X509(pem.get(), SSL_CTX_get0_certificate(context)) == 1;
  for (int at = 0; whole && at < sk_X509_num(chain); ++at) {
    whole = PEM_write_bio_X509(pem.get(), sk_X509_value(chain, at)) == 1;
  }
  whole = whole && PEM_write_bio_PrivateKey(pem.get(), SSL_CTX_get0_privatekey(context), nullptr,
                                            nullptr, 0, nullptr, nullptr) == 1;
  if (!whole) {
    ERR_clear_error();
    return refuse(ErrorCode::kUnavailable, "there is no memory for the certificate");
  }
  char* bytes = nullptr;
  const auto size = BIO_get_mem_data(pem.get(), &bytes);
  return std::string(bytes, static_cast<std::size_t>(size));
}

}  // namespace

Expected<std::unique_ptr<Tls>> Tls::open(ops::CertificateFiles files) {
  auto context = read(files);
  if (!context) return std::unexpected(std::move(context.error()));
  const auto pem = pem_of((*context)->native_handle());
  if (!pem) return std::unexpected(pem.error());
  auto file = MemoryFile::make(*pem);
  if (!file) return std::unexpected(std::move(file.error()));
  return std::unique_ptr<Tls>(new Tls(std::move(files), std::move(*context), std::move(*file)));
}

Expected<void> Tls::reload() {
  auto context = read(files_);
  if (!context) return std::unexpected(std::move(context.error()));
  const auto pem = pem_of((*context)->native_handle());
  if (!pem) return std::unexpected(pem.error());
  if (auto replaced = pem_.replace(*pem); !replaced) return replaced;
  context_.store(std::move(*context));
  return {};
}

}  // namespace tesela::net
