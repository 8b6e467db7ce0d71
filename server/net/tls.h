// The TLS certificate of both ports, which can be replaced while the server runs.
#pragma once

#include <atomic>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "engine/core/result.h"
#include "server/net/endpoint.h"

namespace tesela::net {

/// Holds a certificate and its key. Changes of the files take effect with `reload`. Any thread; one
/// call of `reload` at a time.
class Tls {
 public:
  using Context = std::shared_ptr<boost::asio::ssl::context>;

  /// Errors: kInvalidArgument with a sentence when a file cannot be read, is not PEM, or the key is
  /// not the certificate's.
  [[nodiscard]] static Expected<std::unique_ptr<Tls>> open(CertificateFiles files);

  /// The context for a new connection; open connections keep theirs. TLS 1.2 and newer. ALPN offers
  /// HTTP/1.1 on the HTTP port, and HTTP/2 on the gRPC port.
  [[nodiscard]] Context http() const { return contexts_.load()->http; }
  [[nodiscard]] Context grpc() const { return contexts_.load()->grpc; }

  /// When the certificate ends; the Unix epoch when it does not tell.
  [[nodiscard]] std::chrono::sys_seconds ends() const;

  /// Reads the files again. Errors: those of `open`; then nothing changes.
  [[nodiscard]] Expected<void> reload();

 private:
  struct Contexts {
    Context http;
    Context grpc;
  };
  using Pair = std::shared_ptr<const Contexts>;

  [[nodiscard]] static Expected<Pair> read(const CertificateFiles& files);

  Tls(CertificateFiles files, Pair contexts)
      : files_(std::move(files)), contexts_(std::move(contexts)) {}

  const CertificateFiles files_;
  std::atomic<Pair> contexts_;
};

}  // namespace tesela::net
