// The common path of all calls: the gRPC port and the Connect protocol both use it.
#pragma once

#include <grpcpp/support/status.h>

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/accounts/tokens.h"
#include "server/base/wake.h"
#include "server/metrics/metrics.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"

namespace tesela::rpc {

/// A message, or how the call has failed. In a stream null is the end.
using Reply = std::expected<MessagePtr, grpc::Status>;

/// Counts a call that stays open, and takes its slot among the connections of its address: an empty
/// one where its connection has a slot of its own. Errors: kResourceExhausted.
[[nodiscard]] Expected<quota::Slot> admit_stream(quota::AdmissionControl& admission,
                                                 const Caller& caller);

class StreamCall;

/// What the end of a call is told with.
struct CallRecord {
  const Method* method{};
  std::string id{};  // names the call in the log and to its caller
  std::optional<boost::asio::ip::address> address{};
  std::chrono::steady_clock::time_point began{std::chrono::steady_clock::now()};
  tracing::Context trace{};
  std::uint64_t parent{};  // the span of the caller
};

/// The methods of this process, by their paths. Calls are counted (tesela_rpcs_total) and logged
/// when they end; a refusal carries the id of its call (with_request). Any thread. Outlives its
/// calls.
class Calls {
 public:
  /// The methods of each service, from methods_of. Streams end with the session of their token;
  /// without `tokens` they do not.
  Calls(std::initializer_list<std::vector<Method>> services, quota::AdmissionControl& admission,
        metrics::Metrics& metrics, const accounts::Tokens* tokens = nullptr);

  /// Null when there is none. `path` as in "/tesela.lobby.v1.LobbyService/SignIn".
  [[nodiscard]] const Method* find(std::string_view path) const;
  [[nodiscard]] const std::map<std::string, Method, std::less<>>& methods() const {
    return methods_;
  }

  /// Runs a unary method on `executor` and gives `done` its reply there, or at once, on the calling
  /// thread, when the caller has made too many calls. The work is never cancelled: it
  /// goes on to its end when nobody waits for it any more.
  void answer(const boost::asio::any_io_executor& executor, const Method& method,
              RequestPtr request, Caller caller, std::function<void(Reply)> done);

  /// A call of a streaming method, which has not begun.
  [[nodiscard]] std::unique_ptr<StreamCall> stream(const Method& method);

  /// A call that is refused before it begins: its request cannot be read.
  [[nodiscard]] grpc::Status refused(const Method& method, Caller caller,
                                     const grpc::Status& status);

 private:
  friend class StreamCall;

  /// The caller goes on in the call's own span.
  [[nodiscard]] CallRecord record_of(const Method& method, Caller& caller);
  /// Counts and logs the end of a call.
  void ended(const CallRecord& call, const grpc::Status& status);

  std::map<std::string, Method, std::less<>> methods_;
  quota::AdmissionControl& admission_;
  metrics::Metrics& metrics_;
  const accounts::Tokens* const tokens_;
  const std::uint64_t first_id_;
  std::atomic<std::uint64_t> calls_{0};
};

/// Used by one coroutine; its destruction ends the call. Cancelling that coroutine makes what it
/// waits for end with CANCELLED. Nothing here throws.
class StreamCall {
 public:
  StreamCall(Calls& calls, const Method& method) : calls_(calls), call_{.method = &method} {}
  ~StreamCall();
  StreamCall(const StreamCall&) = delete;
  StreamCall& operator=(const StreamCall&) = delete;

  /// Opens the stream: from now on it misses nothing. Once, first of all.
  boost::asio::awaitable<grpc::Status> begin(RequestPtr request, Caller caller);
  /// The next message. Not after the end, nor when `begin` has failed.
  boost::asio::awaitable<Reply> next();

 private:
  /// The end of the session of a call's token. Kept alive by what ends it.
  struct SessionEnd {
    explicit SessionEnd(const boost::asio::any_io_executor& executor) : wake(executor) {}

    base::Wake wake;
    std::atomic<bool> there{false};
  };

  boost::asio::awaitable<Expected<void>> stay_with_session(std::string token);
  boost::asio::awaitable<void> session_end();

  Calls& calls_;
  CallRecord call_;
  quota::Slot connection_;
  StreamPtr stream_;
  std::shared_ptr<SessionEnd> session_end_;        // null: the stream need not be cancelled for it
  accounts::EndedSessions::Hold signed_in_;        // goes before the stream, which it ends
  grpc::Status status_ = grpc::Status::CANCELLED;  // until it has ended otherwise
};

}  // namespace tesela::rpc
