#include "server/nodes/relay_headers.h"

#include <charconv>
#include <cstdint>
#include <iterator>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"

namespace tesela::nodes {
namespace {

namespace ip = boost::asio::ip;

/// The value of a field that stands there exactly once.
std::optional<std::string_view> only(const net::RequestHead& head, std::string_view name) {
  const auto [begin, end] = head.equal_range(view(name));
  if (begin == end || std::next(begin) != end) return std::nullopt;
  const auto value = begin->value();
  return std::string_view{value.data(), value.size()};
}

template <class Number>
std::optional<Number> number(const net::RequestHead& head, std::string_view name) {
  const auto text = only(head, name);
  if (!text) return std::nullopt;
  Number value{};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return value;
}

}  // namespace

std::string proof_of(std::string_view secret) {
  const auto mac = base::hmac_sha256(secret, "tesela.node.v1");
  return base::encode_base64url({reinterpret_cast<const char*>(mac.data()), mac.size()});
}

void mark(net::RequestHead& request, const ip::address& client, std::string_view proof,
          store::LifeId life) {
  request.set(view(kLifeField), std::to_string(life.value));
  request.set(view(kProofField), view(proof));
  request.set(view(kRelayedForField), client.to_string());
}

bool shows_proof(const net::RequestHead& head, std::string_view proof) {
  const auto shown = only(head, kProofField);
  return shown && base::same_secret(*shown, proof);
}

std::optional<ip::address> relayed_for(const net::RequestHead& head) {
  const auto text = only(head, kRelayedForField);
  if (!text) return std::nullopt;
  boost::system::error_code error;
  ip::address address = ip::make_address(*text, error);
  if (error) return std::nullopt;
  return address;
}

std::optional<TableId> relayed_table(const net::RequestHead& head) {
  const auto text = only(head, kTableField);
  if (!text) return std::nullopt;
  return base::parse_id<TableId>(*text);
}

std::optional<store::LifeId> relayed_by(const net::RequestHead& head) {
  const auto life = number<std::uint64_t>(head, kLifeField);
  if (!life) return std::nullopt;
  return store::LifeId{*life};
}

std::optional<std::chrono::milliseconds> age_in(const net::RequestHead& head) {
  const auto ms = number<std::uint32_t>(head, kAgeField);
  if (!ms) return std::nullopt;
  return std::chrono::milliseconds{*ms};
}

}  // namespace tesela::nodes
