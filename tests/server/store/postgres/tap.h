// A socket between a store and PostgreSQL at which a test can cut the connection.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tesela::store {

/// Any thread.
class Tap {
 public:
  /// When a connection is cut that sends a text: before PostgreSQL has it, or when PostgreSQL has
  /// answered, with the answer lost.
  enum class Cut : std::uint8_t { kBeforeItIsSent, kAfterTheAnswer };

  /// Listens in a folder of its own, and passes on to the PostgreSQL of `server`.
  explicit Tap(const std::filesystem::path& server);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  /// The folder of the socket.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Cuts the next connection that sends `text`, once.
  void cut(Cut when, std::string text);
  /// From now on nothing is passed on or back, as if the machine behind it hung: connections stay
  /// open, and new ones are accepted.
  void fall_silent();
  /// How many connections were cut.
  [[nodiscard]] int cuts() const;

 private:
  using Protocol = boost::asio::local::stream_protocol;
  struct Line;

  void accept();
  void pass_on(std::shared_ptr<Line> line);
  void pass_back(std::shared_ptr<Line> line);
  /// Whether the tap is silent: then it keeps the line.
  bool keeps(const std::shared_ptr<Line>& line);
  /// What is to be done with what a client has sent.
  std::optional<Cut> look(std::string_view bytes);

  std::filesystem::path folder_;
  std::filesystem::path server_;
  boost::asio::io_context io_{1};
  Protocol::acceptor acceptor_{io_};
  mutable std::mutex mutex_;
  std::optional<Cut> when_;
  std::string text_;
  int cuts_{0};
  bool silent_{false};
  std::vector<std::shared_ptr<Line>> kept_;
  std::thread thread_;
};

}  // namespace tesela::store
