// What one server tells another in the head of a request that it relays.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "server/net/http/http_message.h"
#include "server/store/ownership.h"

namespace tesela::nodes {

using UpgradeRequest = boost::beast::http::request<boost::beast::http::empty_body>;

/// Shows that a peer has the secret of --node-secret-file. Not trusted at any other port.
inline constexpr std::string_view kProofField = "Tesela-Node-Proof";
/// Marks a request as relayed, and has the IP address of its client. Not trusted likewise.
inline constexpr std::string_view kRelayedForField = "Tesela-Relayed-For";
/// Has the id of the table of a relayed call. Not trusted likewise.
inline constexpr std::string_view kTableField = "Tesela-Table";

/// Has the life of the server that relays. Not trusted likewise.
inline constexpr std::string_view kLifeField = "Tesela-Relay-Life";

/// For how many milliseconds a search has been going on. Not trusted likewise, nor in what a client
/// has written.
inline constexpr std::string_view kAgeField = "Tesela-Age-Ms";
/// Is there where the same search was passed on before, and has begun then. Not trusted likewise.
inline constexpr std::string_view kAgainField = "Tesela-Again";

/// The value of kProofField for a secret.
[[nodiscard]] std::string proof_of(std::string_view secret);

/// A name of a field for Beast.
[[nodiscard]] inline boost::beast::string_view view(std::string_view text) {
  return {text.data(), text.size()};
}

/// Marks a request as relayed by a life, in place of whatever the client has put there.
void mark(net::RequestHead& request, const boost::asio::ip::address& client, std::string_view proof,
          store::LifeId life);

/// Whether the request shows the proof, once.
[[nodiscard]] bool shows_proof(const net::RequestHead& head, std::string_view proof);

/// The client of a relayed request; empty where the request has no such mark, or not exactly one.
[[nodiscard]] std::optional<boost::asio::ip::address> relayed_for(const net::RequestHead& head);

/// The life that relays a request; empty likewise, and from a server of a version that does not
/// say.
[[nodiscard]] std::optional<store::LifeId> relayed_by(const net::RequestHead& head);

/// The table of a relayed call; empty likewise.
[[nodiscard]] std::optional<TableId> relayed_table(const net::RequestHead& head);

/// The age of a search; empty likewise, and if it is no number.
[[nodiscard]] std::optional<std::chrono::milliseconds> age_in(const net::RequestHead& head);

}  // namespace tesela::nodes
