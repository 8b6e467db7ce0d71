// What the server warns of, for a test to read.
#pragma once

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tesela::services {

/// Listens while it lives. Nothing may be logged while it is made and while it goes.
class Warnings {
 public:
  struct Warning {
    std::string text;
    std::chrono::steady_clock::time_point at;
  };

  Warnings() { spdlog::default_logger()->sinks().push_back(sink_); }
  ~Warnings() { std::erase(spdlog::default_logger()->sinks(), sink_); }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  /// Waits for the next.
  Warning next() { return sink_->next(); }
  [[nodiscard]] bool none() { return sink_->waiting() == 0; }
  /// How many wait to be read by next().
  [[nodiscard]] std::size_t waiting() { return sink_->waiting(); }

 private:
  class Sink final : public spdlog::sinks::base_sink<std::mutex> {
   public:
    Warning next() {
      std::unique_lock lock{mutex_};
      came_.wait(lock, [this] { return !warnings_.empty(); });
      Warning first = std::move(warnings_.front());
      warnings_.pop_front();
      return first;
    }
    std::size_t waiting() {
      const std::lock_guard lock{mutex_};
      return warnings_.size();
    }

   private:
    // Both with `mutex_`.
    void sink_it_(const spdlog::details::log_msg& message) override {
      if (message.level < spdlog::level::warn) return;
      warnings_.push_back({.text = std::string(message.payload.data(), message.payload.size()),
                           .at = std::chrono::steady_clock::now()});
      came_.notify_all();
    }
    void flush_() override {}

    std::condition_variable came_;
    std::deque<Warning> warnings_;
  };

  const std::shared_ptr<Sink> sink_ = std::make_shared<Sink>();
};

}  // namespace tesela::services
