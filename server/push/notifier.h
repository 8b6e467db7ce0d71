// Tells players what happened while they were away.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/fetch/fetch.h"
#include "server/metrics/metrics.h"
#include "server/push/p256_key.h"
#include "server/push/push_hosts.h"
#include "server/store/notices.h"

namespace tesela::push {

/// Every server sends what is due, each notice by one of them. What is stored is sent, also after a
/// crash; then perhaps twice.
class Notifier final : public base::Worker, public store::NoticeSink {
 public:
  struct Webhook {
    fetch::Url url;
    std::string secret;  // the bytes
  };
  struct Parts {
    base::Loop& loop;
    store::Notices& notices;
    metrics::Metrics& metrics;
    PushHosts hosts;
    P256Key key;         // of all servers on a database
    std::string origin;  // of the page
    std::optional<Webhook> webhook;
  };

  explicit Notifier(Parts parts);

  /// Stored soon, and not in the caller's time. A notice is lost if the process is killed before.
  void add(std::vector<store::NewNotice> notices) override;

  [[nodiscard]] const PushHosts& hosts() const { return parts_.hosts; }
  /// The public key of VAPID.
  [[nodiscard]] std::string public_key() const { return parts_.key.point(); }

 private:
  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<void> store_waiting();
  boost::asio::awaitable<void> send_due();
  boost::asio::awaitable<void> send(store::DueNotice notice);
  boost::asio::awaitable<void> judge(store::DueNotice notice, Expected<fetch::HttpAnswer> answer);
  /// Not sent any more, or again at that time.
  boost::asio::awaitable<void> settle(const store::DueNotice& notice,
                                      std::optional<std::int64_t> due_ms = std::nullopt);
  [[nodiscard]] Expected<fetch::Question> question_of(const store::DueNotice& notice) const;

  const Parts parts_;
  // On the loop alone.
  fetch::Fetcher fetcher_;
  std::deque<std::vector<store::NewNotice>> waiting_;
  std::size_t sending_{};
  boost::asio::steady_timer sent_;  // cancelled when nothing is being sent any more
};

}  // namespace tesela::push
