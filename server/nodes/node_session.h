// One connection of the node port: takes one relayed stream or call of another server.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/limits.h"
#include "server/base/relay_limits.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/http/http_framing.h"
#include "server/net/http/http_message.h"
#include "server/net/http/http_router.h"
#include "server/net/http/http_session.h"
#include "server/net/transport.h"
#include "server/nodes/leader_calls.h"
#include "server/nodes/node_methods.h"
#include "server/nodes/owner_calls.h"
#include "server/nodes/relayed_streams.h"
#include "server/quota/admission_control.h"

namespace tesela::nodes {

/// Touched by the thread of its socket's context alone, but for `stop` and `abort`.
class NodeSession : public std::enable_shared_from_this<NodeSession> {
 public:
  static constexpr const char* kProtocol = "node";

  /// What every session uses; must outlive them all.
  struct Parts {
    net::ConnectionLimit& connections;
    quota::AdmissionControl& admission;  // counts those without the proof, by address
    quota::AdmissionControl& clients;    // counts the clients of relayed streams
    metrics::Metrics& metrics;
    std::string proof;
    net::UpgradeHandler upgrade;  // with the address and the quota of the client
    OwnerCalls& calls;
    NodeMethods& node_methods;
    LeaderCalls& leader;
    RelayedStreams& relayed;
  };

  NodeSession(boost::asio::ip::tcp::socket socket, boost::asio::ip::address peer,
              net::Client client, const Parts& parts);

  [[nodiscard]] boost::asio::any_io_executor executor() { return stream_.get_executor(); }
  [[nodiscard]] boost::asio::cancellation_slot aborted() { return abort_.slot(); }

  /// Reads one request. Answers 403 to a peer without the proof, 404 to what is neither a stream
  /// nor a call about a table nor one of tesela.node.v1, 400 to a request that is not as a server
  /// relays it, 429 beyond a limit of the client's address. Otherwise the connection of a stream
  /// goes to the handler, unanswered. A call about a table of another server is answered 421, and
  /// so is one of LeaderCalls where this server does not have the duty; of any other one the body
  /// is asked for, by 100 Continue. An answer that is a stream ends when the peer hangs up or falls
  /// silent, and when its life was declared dead.
  boost::asio::awaitable<void> run();
  /// Answers 503.
  boost::asio::awaitable<void> turn_away(net::Full full);

  /// Ends now, but that a call which was taken is answered. Any thread.
  void stop();
  /// Ends now. Any thread.
  void abort();

 private:
  /// Why the request is refused. With the proof the connection counts no more among those without.
  [[nodiscard]] std::optional<net::Response> judge(const net::RequestHead& head, bool is_known);
  /// Why a client's request is refused; otherwise client_ has its address and quota.
  [[nodiscard]] std::optional<net::Response> judge_client(const net::RequestHead& head);
  /// Why a stream is refused; otherwise client_ has all that the client takes.
  [[nodiscard]] std::optional<net::Response> admit_stream(const net::HeadParser& head);
  boost::asio::awaitable<void> serve_call(net::HeadParser& head, const net::Route& call);
  /// Reads the body, of at most `bytes_max`, and answers.
  boost::asio::awaitable<void> serve_body(net::HeadParser& head, const net::Route& call,
                                          std::size_t bytes_max);
  boost::asio::awaitable<void> serve_leader_call(net::HeadParser& head, const net::Route& call);
  boost::asio::awaitable<bool> ask_for_body();
  boost::asio::awaitable<void> answer(net::Response response);
  boost::asio::awaitable<void> answer_in_chunks(net::Response response);
  boost::asio::awaitable<bool> write_chunk(std::string bytes);
  boost::asio::awaitable<bool> write(std::string_view bytes);
  boost::asio::awaitable<void> peer_gone();
  void end_now();
  void close();

  const Parts& parts_;
  net::Transport stream_;
  net::Client client_;
  boost::asio::cancellation_signal abort_;
  bool answering_ = false;  // a call was taken
  // Of a search.
  std::optional<std::chrono::steady_clock::time_point> began_{};
  bool again_ = false;
  boost::beast::flat_buffer buffer_{2 * limits::kHttpHeaderBytesMax + limits::kRelayHeadBytesMax};
};

}  // namespace tesela::nodes
