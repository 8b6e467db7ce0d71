#include "server/push/notifier.h"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/log/seldom_log.h"
#include "server/base/loop.h"
#include "server/push/notice_text.h"
#include "server/push/push_limits.h"
#include "server/push/quiet_time.h"
#include "server/push/web_push.h"

namespace tesela::push {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::steady_clock;
using store::DueNotice;

// 403: it was subscribed under another key.
constexpr std::array kGone{403U, 404U, 410U};
constexpr unsigned kTooMany = 429;
constexpr unsigned kServerError = 500;

void warn(const Error& error) {
  static base::SeldomLog lines;
  lines.log(spdlog::level::warn, "notices cannot be read or stored", {{"error", error.message}});
}

bool is_accepted(unsigned status) {
  return status >= 200 && status < 300;
}

std::int64_t pause_after(std::int64_t tries) {
  std::int64_t pause = limits::kNoticePause.count();
  for (std::int64_t i = 1; i < tries; ++i) pause *= limits::kNoticePauseGrowth;
  return pause;
}

}  // namespace

Notifier::Notifier(Parts parts)
    : Worker(parts.loop, "notifier"),
      parts_(std::move(parts)),
      sent_(parts_.loop, steady_clock::time_point::max()) {}

void Notifier::add(std::vector<store::NewNotice> notices) {
  parts_.loop.hand_over([this, notices = std::move(notices)]() mutable {
    if (waiting_.size() < limits::kNoticesToStoreMax) waiting_.push_back(std::move(notices));
    wake();
  });
}

awaitable<void> Notifier::run() {
  if (auto set = co_await parts_.notices.set_webhook(parts_.webhook.has_value()); !set) {
    warn(set.error());
  }
  while (!stopping()) {
    co_await store_waiting();
    co_await send_due();
    const auto now = steady_clock::now();
    co_await pause_between(now + limits::kNoticeInterval / 4, now + limits::kNoticeInterval);
  }
  co_await store_waiting();
  while (sending_ > 0) co_await sent_.async_wait(base::use_tuple);
}

// In order, so that a later turn replaces an earlier one.
awaitable<void> Notifier::store_waiting() {
  while (!waiting_.empty()) {
    std::vector<store::NewNotice> together;
    std::ptrdiff_t taken = 0;
    for (const auto& notices : waiting_) {
      if (together.size() >= limits::kNoticesStoredTogether) break;
      together.insert(together.end(), notices.begin(), notices.end());
      ++taken;
    }
    const auto stored = co_await parts_.notices.add_notices(std::move(together));
    if (!stored) co_return warn(stored.error());
    waiting_.erase(waiting_.begin(), waiting_.begin() + taken);
  }
}

awaitable<void> Notifier::send_due() {
  const std::size_t room = limits::kNoticesAtOnce - sending_;
  if (room == 0) co_return;
  const std::int64_t now_ms = base::unix_ms();
  const auto any = co_await parts_.notices.notices_due(now_ms);
  if (!any) co_return warn(any.error());
  if (!*any) co_return;
  auto due =
      co_await parts_.notices.claim_notices(now_ms, now_ms + limits::kNoticeLease.count(), room);
  if (!due) co_return warn(due.error());
  for (DueNotice& notice : *due) {
    ++sending_;
    asio::co_spawn(parts_.loop, send(std::move(notice)), [this](const std::exception_ptr& thrown) {
      if (thrown) spdlog::error("a notice was not sent: an exception");
      if (--sending_ == 0) sent_.cancel();
      wake();
    });
  }
}

awaitable<void> Notifier::send(DueNotice notice) {
  if (!notice.holds || notice.tries > limits::kNoticeTriesMax) co_return co_await settle(notice);
  if (const auto quiet_ms = quiet_until_ms(notice.quiet, base::unix_ms())) {
    --notice.tries;
    co_return co_await settle(notice, quiet_ms);
  }
  auto question = question_of(notice);
  // This server has no webhook, or may not ask this host. Another one may.
  if (!question) co_return;
  auto answer = co_await fetcher_.ask(*std::move(question));
  co_await judge(std::move(notice), std::move(answer));
}

Expected<fetch::Question> Notifier::question_of(const DueNotice& notice) const {
  const std::int64_t now_ms = base::unix_ms();
  const std::int64_t now_s = now_ms / 1000;
  if (!notice.device) {
    if (!parts_.webhook) return refuse(ErrorCode::kNotFound, "There is no webhook here.");
    fetch::Question question{.url = parts_.webhook->url,
                             .body = webhook_text(notice, parts_.origin, now_ms)};
    sign_webhook(question, notice, parts_.webhook->secret, now_s);
    return question;
  }
  auto question = parts_.hosts.at(notice.device->endpoint);
  if (!question) return question;
  const auto salt = base::random_secret();
  question->body = encrypted(push_text(notice), *notice.device, P256Key::random(),
                             {reinterpret_cast<const char*>(salt.data()), salt.size()});
  const bool reachable = parts_.origin.starts_with("https://");
  const bool hurries = notice.kind == store::NoticeKind::kTimeShort;
  question->headers = {
      {"authorization", vapid(parts_.key, "https://" + question->url.authority(),
                              reachable ? parts_.origin : "", now_s)},
      {"content-type", "application/octet-stream"},
      {"content-encoding", "aes128gcm"},
      {"ttl", std::to_string(std::max<std::int64_t>(0, (notice.until_ms - now_ms) / 1000))},
      {"topic", topic_of(notice)},
      {"urgency", hurries ? "high" : "normal"}};
  return question;
}

awaitable<void> Notifier::judge(DueNotice notice, Expected<fetch::HttpAnswer> answer) {
  static base::SeldomLog lines;
  if (answer && is_accepted(answer->status)) {
    parts_.metrics.notices("sent").Increment();
    co_return co_await settle(notice);
  }
  parts_.metrics.notices("failed").Increment();
  const std::string reason =
      answer ? "answered " + std::to_string(answer->status) : answer.error().message;
  lines.log(spdlog::level::info, "a notice was not accepted",
            {{"kind", std::string(name_of(notice.kind))},
             {"by", notice.device ? "push service" : "webhook"},
             {"reason", reason}});
  if (answer && notice.device && std::ranges::find(kGone, answer->status) != kGone.end()) {
    const auto removed =
        co_await parts_.notices.remove_device(notice.device->endpoint, std::nullopt);
    if (!removed) warn(removed.error());
    co_return;
  }
  const bool again = !answer || answer->status == kTooMany || answer->status >= kServerError;
  const std::int64_t due_ms = base::unix_ms() + pause_after(notice.tries);
  if (!again || notice.tries >= limits::kNoticeTriesMax || due_ms >= notice.until_ms) {
    co_return co_await settle(notice);
  }
  co_await settle(notice, due_ms);
}

awaitable<void> Notifier::settle(const DueNotice& notice, std::optional<std::int64_t> due_ms) {
  const auto settled =
      co_await parts_.notices.settle_notice(notice.id, notice.lease_ms, due_ms, notice.tries);
  if (!settled) warn(settled.error());
}

}  // namespace tesela::push
