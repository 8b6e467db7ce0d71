// The configuration of a port: its address and its certificate.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tesela::net {

/// Where to listen. Port 0: any free one.
struct Endpoint {
  std::string address;
  std::uint16_t port{};
};

/// "HOST:PORT", with brackets around an IPv6 address.
[[nodiscard]] inline std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool v6 = host.find(':') != std::string_view::npos;
  std::string text = v6 ? "[" : "";
  text += host;
  if (v6) text += ']';
  return text + ':' + std::to_string(port);
}

/// PEM files: the certificate with the chain to its issuer, and its private key.
struct CertificateFiles {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

}  // namespace tesela::net
