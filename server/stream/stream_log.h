// What the log and the metrics are told of one stream.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/ids.h"
#include "server/base/log/log_line.h"
#include "server/codec/frame.h"
#include "server/metrics/metrics.h"

namespace tesela::stream {

/// A line when the stream has its place at the table (debug), and one when it ends (info). Lines of
/// streams without a player are limited to fewer than those of players. One thread.
class StreamLog {
 public:
  /// `from` is the address of its client, and outlives it.
  StreamLog(metrics::Metrics& metrics, TableId table, const boost::asio::ip::address& from);
  ~StreamLog();
  StreamLog(const StreamLog&) = delete;
  StreamLog& operator=(const StreamLog&) = delete;

  /// The token of its Hello is the player's.
  void identified(PlayerId player) { player_ = player; }
  void seated(std::optional<Seat> seat);
  /// A frame has come.
  void received() { ++frames_; }
  /// A frame, or the whole stream.
  void refused(codec::Reason reason) { metrics_.refusals(codec::name_of(reason)).Increment(); }
  void timed_out() {
    refused(codec::Reason::kTimedOut);
    lost(codec::name_of(codec::Reason::kTimedOut));
  }
  /// Why nothing more will be read: "cut" … The first one counts.
  void lost(std::string_view reason) {
    if (lost_.empty()) lost_ = reason;
  }
  /// `goodbye`: the reason of its Goodbye, if it got one. `seat`: at its end.
  void ended(std::optional<codec::Reason> goodbye, std::optional<Seat> seat) const;

 private:
  [[nodiscard]] base::LogFields fields(std::optional<Seat> seat) const;

  metrics::Metrics& metrics_;
  const TableId table_;
  const boost::asio::ip::address& from_;
  const std::chrono::steady_clock::time_point began_{std::chrono::steady_clock::now()};
  std::optional<PlayerId> player_;
  std::uint64_t frames_ = 0;
  std::string_view lost_;
};

}  // namespace tesela::stream
