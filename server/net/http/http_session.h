// One HTTP/1.1 connection: reads requests one after the other, pipelined or not, and answers them
// in order.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/base/limits.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/http/http_framing.h"
#include "server/net/http/http_message.h"
#include "server/net/http/http_router.h"
#include "server/net/http/origins.h"
#include "server/net/tls.h"
#include "server/net/transport.h"

namespace tesela::net {

/// Called with each WebSocket upgrade request for a path of the form /v1/tables/{id}/stream ({id}
/// is neither empty nor checked) whose Origin is allowed, on the thread of the socket's own
/// io_context. Nothing has been answered and nothing behind the request has been read. The client
/// is kept as long as the socket.
using UpgradeHandler = std::function<void(
    Transport, boost::beast::http::request<boost::beast::http::empty_body>, Client)>;

/// Touched by the thread of its socket's context alone, but for `stop` and `abort`.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  static constexpr const char* kProtocol = "HTTP";

  /// What every session uses; must outlive them all.
  struct Parts {
    const HttpRouter& router;
    const Origins& origins;
    ConnectionLimit& connections;
    quota::AdmissionControl& admission;
    metrics::Metrics& metrics;
    UpgradeHandler upgrade;    // none: no streams here
    const Tls* tls = nullptr;  // none: without TLS
    std::chrono::milliseconds read_time_max{limits::kHttpReadTimeMax};
    std::chrono::milliseconds write_time_max{limits::kHttpWriteTimeMax};
  };

  /// `peer` is where the socket comes from.
  HttpSession(boost::asio::ip::tcp::socket socket, boost::asio::ip::address peer, Client client,
              const Parts& parts);

  [[nodiscard]] boost::asio::any_io_executor executor() { return stream_.get_executor(); }
  /// To be bound to the coroutine that runs the session, so that `abort` can cancel it.
  [[nodiscard]] boost::asio::cancellation_slot aborted() { return abort_.slot(); }

  /// Serves until the client is gone, falls silent during a stream, breaks the protocol, is too
  /// slow, or the socket is upgraded.
  boost::asio::awaitable<void> run();
  /// Answers 503 or 429, whatever the request, and ends.
  boost::asio::awaitable<void> turn_away(Full full);

  /// Ends after the response that is under way, at once when there is none. Any thread.
  void stop();
  /// Ends now. Any thread.
  void abort();

 private:
  enum class Next {
    kRequest,  // the connection can carry another one
    kEnd,
    kEndUnread,  // the client may still be sending: it must not miss the answer over that
  };

  // How a response is framed.
  struct Frame {
    unsigned version{11};
    bool keep_alive{false};
    bool with_body{true};
  };

  boost::asio::awaitable<void> rest();
  boost::asio::awaitable<bool> wait_for_request();
  boost::asio::awaitable<Next> serve_one();
  boost::asio::awaitable<Next> serve_request(HeadParser& head, const Route* route);
  boost::asio::awaitable<Next> upgrade(HeadParser& head);
  boost::asio::awaitable<Next> refuse(HeadParser& head, const Route* route, http::status status,
                                      std::string sentence);
  boost::asio::awaitable<Next> refuse_unread(const RequestHead& head, const Route* route,
                                             http::status status, std::string sentence);
  boost::asio::awaitable<Next> refuse_broken(const RequestHead& head,
                                             boost::beast::error_code error);
  boost::asio::awaitable<Next> answer(const Route& route, Request request);
  boost::asio::awaitable<Next> send(Response response, std::string_view route, Frame frame);
  boost::asio::awaitable<bool> send_whole(Response response, Frame frame);
  boost::asio::awaitable<bool> send_chunks(Response response, Frame frame);
  boost::asio::awaitable<bool> write(std::string_view bytes);
  boost::asio::awaitable<void> client_gone();
  boost::asio::awaitable<void> let_client_read();
  boost::asio::awaitable<void> end();
  void close();
  [[nodiscard]] quota::QuotaPtr quota_of(const RequestHead& head) const;
  [[nodiscard]] bool own_host(const RequestHead& head) const;
  [[nodiscard]] boost::asio::ip::address client(const RequestHead& head) const;

  const Parts& parts_;
  Transport stream_;
  const boost::asio::ip::address peer_;
  Client client_;
  boost::asio::cancellation_signal abort_;
  boost::beast::flat_buffer buffer_{limits::kHttpHeaderBytesMax + limits::kHttpBodyBytesMax};
  bool idle_ = false;     // waits for a request, and owes the client no answer
  bool refused_ = false;  // the last answer was 401 or 429
  bool stopping_ = false;
};

}  // namespace tesela::net
