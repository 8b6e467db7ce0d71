// One WebSocket connection at one table.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>

#include "server/accounts/tokens.h"
#include "server/codec/frame.h"
#include "server/directory/directory.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/transport.h"
#include "server/quota/rate.h"
#include "server/store/friends.h"
#include "server/stream/stream_log.h"
#include "server/tables/core/freeze.h"
#include "server/tables/members/outbox.h"
#include "server/tables/table.h"

namespace tesela::stream {

using UpgradeRequest = boost::beast::http::request<boost::beast::http::empty_body>;

struct Sessions;

/// In the list of its loop while it runs.
using SessionHook =
    boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// Runs on the thread of its table's io_context. Keeps itself alive while it reads or writes.
class StreamSession : public std::enable_shared_from_this<StreamSession>, public SessionHook {
 public:
  /// What every session uses; outlives all sessions.
  struct Parts {
    directory::Directory& directory;
    const accounts::Tokens& tokens;
    metrics::Metrics& metrics;
    std::chrono::milliseconds ping_interval;
    std::uint32_t frames_per_second_max;  // of one stream; 0: no limit
    quota::AdmissionControl& admission;
    store::Friends& friends;
  };

  /// `wire` is on the table's io_context. `protocol` was chosen from the request.
  StreamSession(net::StreamWire wire, net::Client client, codec::Protocol protocol, TableId table,
                const Parts& parts);
  StreamSession(const StreamSession&) = delete;
  StreamSession& operator=(const StreamSession&) = delete;

  /// Answers the upgrade, waits for Hello, joins the table, and carries frames until either side
  /// ends. `all`, those of the loop, outlives it.
  boost::asio::awaitable<void> run(UpgradeRequest request, Sessions& all);
  /// The server has died through which the stream has come: leaves the table, and ends without a
  /// word, which would not arrive.
  void relay_died();
  /// The server stops: a client that has not said Hello is told so, and no client has longer than
  /// limits::kStopCloseTime for its close.
  void stop();

 private:
  // Without compression, which takes hundreds of kilobytes for each connection.
  using Socket = boost::beast::websocket::stream<net::StreamWire, false>;

  boost::asio::awaitable<bool> accept(UpgradeRequest request);
  /// How many bytes may be read next.
  [[nodiscard]] std::size_t room() const;
  void received(boost::beast::error_code error);
  void refuse_large();
  /// Ends the stream when the session of its token ends. Error: kSessionEnded.
  [[nodiscard]] Expected<void> stay_signed_in(SessionId session);
  void expect_hello();
  /// Decodes the first frame; empty if it was no Hello, after a Goodbye.
  [[nodiscard]] std::optional<codec::Hello> take_hello();
  boost::asio::awaitable<void> sit_down(codec::Hello hello);
  [[nodiscard]] bool may_send();
  /// A message that Beast has not read (StreamWire::watch_messages).
  void usual_message(std::string_view message, std::chrono::steady_clock::time_point time);
  /// Handles a message after Hello.
  void handle_message(std::string_view message, bool binary);
  [[nodiscard]] std::string_view read_bytes() const;
  void post(codec::Move&& move);
  void say(const codec::Say& what);
  void refuse(std::string_view move_id, codec::Reason reason, std::string_view sentence);
  void goodbye(codec::Reason reason, std::string_view sentence);
  void goodbye(const Error& error) { goodbye(codec::reason_of(error.code), error.message); }
  /// Sends a frame without Beast, if nothing else is being written.
  [[nodiscard]] bool send_now(const codec::FramePtr& frame);
  void write();
  void write_after_thaw();
  void close();
  void close_after(std::chrono::milliseconds time);
  void watch_pulse();
  void ping();

  const Parts& parts_;
  const TableId table_id_;
  StreamLog log_;
  Socket ws_;
  net::Client client_;
  boost::beast::flat_buffer buffer_;
  net::StreamTimer deadline_;  // for Hello, then for the next sign of life, then for closing
  std::chrono::steady_clock::time_point heard_;  // the last sign of life
  bool pinging_ = false;
  tables::Freeze& freeze_;
  bool waits_for_thaw_ = false;
  tables::Outbox outbox_;
  codec::FramePtr writing_;
  bool closing_ = false;
  bool stops_ = false;
  bool broken_ = false;        // nothing more is read: a read failed, or `thrown_`
  std::exception_ptr thrown_;  // ends the session
  quota::Budget budget_;
  std::optional<PlayerId> player_;
  quota::QuotaPtr player_quota_;
  quota::Slot player_slot_;
  accounts::EndedSessions::Hold signed_in_;  // ends the stream with the session of its token
  std::shared_ptr<tables::Table> table_;
  tables::MemberId member_;
};

/// The sessions of a loop. On its thread.
struct Sessions {
  void stop() {
    stopping = true;
    for (StreamSession& session : running) session.stop();
  }

  boost::intrusive::list<StreamSession, boost::intrusive::constant_time_size<false>> running;
  bool stopping = false;  // those that begin are to stop, too
};

}  // namespace tesela::stream
