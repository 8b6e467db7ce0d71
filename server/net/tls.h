// The certificate of both ports, which may be replaced while the server runs.
#pragma once

#include <atomic>
#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <memory>
#include <utility>

#include "engine/core/result.h"
#include "server/net/memory_file.h"
#include "server/ops/config.h"

namespace tesela::net {

/// A certificate and its key as they were when they were found to be a pair: what happens to the
/// files afterwards is nothing before `reload`. Any thread; one at a time reloads.
class Tls {
 public:
  using Context = std::shared_ptr<boost::asio::ssl::context>;

  /// Errors: kInvalidArgument with a sentence when a file cannot be read, is not PEM, or the key is
  /// not the certificate's; kUnavailable when there is no memory for them.
  [[nodiscard]] static Expected<std::unique_ptr<Tls>> open(ops::CertificateFiles files);

  /// What a new connection of the HTTP port uses; those that are open keep theirs. TLS 1.2 and
  /// newer, HTTP/1.1 by ALPN.
  [[nodiscard]] Context context() const { return context_.load(); }

  /// The same certificate, its chain and its key in one PEM file, for gRPC, which knows files
  /// alone. It is never half written, and named so as long as this object lives.
  [[nodiscard]] std::filesystem::path pem_file() const { return pem_.name(); }

  /// Reads the files again. Errors: those of `open`; then everything stays as it was.
  [[nodiscard]] Expected<void> reload();

 private:
  Tls(ops::CertificateFiles files, Context context, MemoryFile pem)
      : files_(std::move(files)), context_(std::move(context)), pem_(std::move(pem)) {}

  const ops::CertificateFiles files_;
  std::atomic<Context> context_;
  MemoryFile pem_;
};

}  // namespace tesela::net
