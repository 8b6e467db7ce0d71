#include "server/net/http/content_coding.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <cstdlib>
#include <string>

#include "server/net/http/header_values.h"

namespace tesela::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::iequals;

// The weight of each coding in the header: 0 (never) to 1.
struct Weights {
  std::optional<double> identity;
  std::optional<double> gzip;
  std::optional<double> brotli;
  double other = 0;
};

bool is_gzip(std::string_view name) {
  return iequals(name, "gzip") || iequals(name, "x-gzip");
}

Weights read_weights(std::string_view accept_encoding) {
  Weights weights;
  std::optional<double> star;
  for (const auto& [name, parameters] : http::ext_list{accept_encoding}) {
    double q = 1;
    for (const auto& [key, value] : parameters) {
      if (iequals(key, "q")) q = std::strtod(std::string{value}.c_str(), nullptr);
    }
    if (iequals(name, "br")) weights.brotli = q;
    if (is_gzip(name)) weights.gzip = q;
    if (iequals(name, "identity")) weights.identity = q;
    if (name == "*") star = q;
  }
  weights.other = star.value_or(0);
  // Identity needs no mention, but a star speaks for it too. Least liked, unless it is named.
  if (!weights.identity) weights.identity = star.value_or(0.0001);
  return weights;
}

}  // namespace

Coding choose_coding(std::string_view accept_encoding, bool has_gzip, bool has_brotli) {
  const Weights weights = read_weights(accept_encoding);
  Coding best = Coding::kIdentity;
  double best_weight = *weights.identity;
  if (const double gzip = weights.gzip.value_or(weights.other);
      has_gzip && gzip > 0 && gzip >= best_weight) {
    best = Coding::kGzip;
    best_weight = gzip;
  }
  if (const double brotli = weights.brotli.value_or(weights.other);
      has_brotli && brotli > 0 && brotli >= best_weight) {
    best = Coding::kBrotli;
  }
  return best;
}

std::optional<Coding> read_coding(std::string_view content_encoding) {
  Coding coding = Coding::kIdentity;
  for (const std::string_view name : elements_of(content_encoding)) {
    if (iequals(name, "identity")) continue;
    if (!is_gzip(name) || coding != Coding::kIdentity) return std::nullopt;
    coding = Coding::kGzip;
  }
  return coding;
}

}  // namespace tesela::net
