// The common path of all calls: the gRPC port and the Connect protocol both use it.
#pragma once

#include <grpcpp/support/status.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

/// The methods of this process, by their paths. Calls are counted (tesela_rpcs_total) when they
/// end. Any thread. Outlives its calls.
class Calls {
 public:
  /// The methods of each service, from methods_of.
  Calls(std::initializer_list<std::vector<Method>> services, quota::AdmissionControl& admission,
        metrics::Metrics& metrics);

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

  /// Counts a call that ended with `status`, and returns it.
  grpc::Status ended(const Method& method, grpc::Status status);

 private:
  friend class StreamCall;

  std::map<std::string, Method, std::less<>> methods_;
  quota::AdmissionControl& admission_;
  metrics::Metrics& metrics_;
};

/// Used by one coroutine; its destruction ends the call. Cancelling that coroutine makes what it
/// waits for end with CANCELLED. Nothing here throws.
class StreamCall {
 public:
  StreamCall(Calls& calls, const Method& method) : calls_(calls), method_(method) {}
  ~StreamCall();
  StreamCall(const StreamCall&) = delete;
  StreamCall& operator=(const StreamCall&) = delete;

  /// Opens the stream: from now on it misses nothing. Once, first of all.
  boost::asio::awaitable<grpc::Status> begin(RequestPtr request, Caller caller);
  /// The next message. Not after the end, nor when `begin` has failed.
  boost::asio::awaitable<Reply> next();

 private:
  Calls& calls_;
  const Method& method_;
  quota::Slot connection_;
  StreamPtr stream_;
  grpc::Status status_ = grpc::Status::CANCELLED;  // until it has ended otherwise
};

}  // namespace tesela::rpc
