#include "tests/server/store/postgres/tap.h"

#include <stdlib.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <stdexcept>
#include <utility>

namespace tesela::store {
namespace {

constexpr const char* kSocket = ".s.PGSQL.5432";

}  // namespace

struct Tap::Line {
  explicit Line(boost::asio::io_context& io) : client(io), server(io) {}

  void end() {
    boost::system::error_code ignored;
    client.close(ignored);
    server.close(ignored);
  }

  Protocol::socket client;
  Protocol::socket server;
  std::array<char, 65536> sent{};
  std::array<char, 65536> answered{};
  bool loses_answer{};
};

Tap::Tap(const std::filesystem::path& server) : server_(server) {
  std::string name = "/tmp/tesela-tap-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for a tap");
  folder_ = name;
  acceptor_.open();
  acceptor_.bind(Protocol::endpoint((folder_ / kSocket).string()));
  acceptor_.listen();
  accept();
  thread_ = std::thread([this] { io_.run(); });
}

Tap::~Tap() {
  io_.stop();
  thread_.join();
  std::filesystem::remove_all(folder_);
}

void Tap::cut(Cut when, std::string text) {
  const std::scoped_lock lock(mutex_);
  when_ = when;
  text_ = std::move(text);
}

void Tap::fall_silent() {
  const std::scoped_lock lock(mutex_);
  silent_ = true;
}

bool Tap::keeps(const std::shared_ptr<Line>& line) {
  const std::scoped_lock lock(mutex_);
  if (silent_) kept_.push_back(line);
  return silent_;
}

int Tap::cuts() const {
  const std::scoped_lock lock(mutex_);
  return cuts_;
}

std::optional<Tap::Cut> Tap::look(std::string_view bytes) {
  const std::scoped_lock lock(mutex_);
  if (!when_ || bytes.find(text_) == std::string_view::npos) return std::nullopt;
  ++cuts_;
  return std::exchange(when_, std::nullopt);
}

void Tap::accept() {
  auto line = std::make_shared<Line>(io_);
  acceptor_.async_accept(line->client, [this, line](boost::system::error_code error) {
    if (error) return;
    if (keeps(line)) return accept();
    line->server.connect(Protocol::endpoint((server_ / kSocket).string()), error);
    if (!error) {
      pass_on(line);
      pass_back(line);
    }
    accept();
  });
}

void Tap::pass_on(std::shared_ptr<Line> line) {
  line->client.async_read_some(
      boost::asio::buffer(line->sent),
      [this, line](boost::system::error_code error, std::size_t count) {
        if (error) return line->end();
        if (keeps(line)) return;
        const auto cut = look(std::string_view(line->sent.data(), count));
        if (cut == Cut::kBeforeItIsSent) return line->end();
        line->loses_answer = line->loses_answer || cut.has_value();
        boost::asio::write(line->server, boost::asio::buffer(line->sent.data(), count), error);
        if (error) return line->end();
        pass_on(line);
      });
}

void Tap::pass_back(std::shared_ptr<Line> line) {
  line->server.async_read_some(
      boost::asio::buffer(line->answered),
      [this, line](boost::system::error_code error, std::size_t count) {
        if (error || line->loses_answer) return line->end();
        if (keeps(line)) return;
        boost::asio::write(line->client, boost::asio::buffer(line->answered.data(), count), error);
        if (error) return line->end();
        pass_back(line);
      });
}

}  // namespace tesela::store
