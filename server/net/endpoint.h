// The configuration of a port: its address and its certificate.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tesela::net {

/// Where to listen. Port 0: any free one.
struct Endpoint {
  std::string address;
  std::uint16_t port{};
};

/// PEM files: the certificate with the chain to its issuer, and its private key.
struct CertificateFiles {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

}  // namespace tesela::net
