// The certificate of both ports, which may be replaced while the server runs.
#pragma once

#include <atomic>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <utility>

#include "engine/core/result.h"
#include "server/net/endpoint.h"

namespace tesela::net {

/// A certificate and its key as they were when they were found to be a pair: what happens to the
/// files afterwards is nothing before `reload`. Any thread; one at a time reloads.
class Tls {
 public:
  using Context = std::shared_ptr<boost::asio::ssl::context>;

  /// Errors: kInvalidArgument with a sentence when a file cannot be read, is not PEM, or the key is
  /// not the certificate's.
  [[nodiscard]] static Expected<std::unique_ptr<Tls>> open(CertificateFiles files);

  /// What a new connection uses; those that are open keep theirs. TLS 1.2 and newer. On the HTTP
  /// port HTTP/1.1 by ALPN, on that of gRPC HTTP/2.
  [[nodiscard]] Context http() const { return contexts_.load()->http; }
  [[nodiscard]] Context grpc() const { return contexts_.load()->grpc; }

  /// Reads the files again. Errors: those of `open`; then everything stays as it was.
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
