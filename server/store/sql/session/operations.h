// How an operation of this folder runs on a database, for the interfaces of the store.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

/// What an operation shares its threads or connections with.
enum class Lane : std::uint8_t {
  kReads,       // what a player waits for
  kLists,       // what may read more: lists, boards, what is to be deleted
  kWrites,      // as kReads
  kTables,      // likewise, of the rows of tables: other servers are told
  kBackground,  // writes for which nobody waits
};

/// Any thread.
class Operations {
 public:
  virtual ~Operations() = default;

 protected:
  using ReadWork = std::move_only_function<boost::asio::awaitable<void>(Session&)>;
  using WriteWork = std::move_only_function<boost::asio::awaitable<void>(WriteSession&)>;

  /// Runs `work` in a session of its own, again after a try that has failed or whose outcome is
  /// unknown. The error: it has no effect, or for kInternal it is unknown whether it has. What the
  /// work refers to outlives the call.
  virtual boost::asio::awaitable<std::optional<Error>> reads(Lane lane, ReadWork work) = 0;
  virtual boost::asio::awaitable<std::optional<Error>> writes(Lane lane, WriteWork work) = 0;

  /// What `kOperation(session, arguments...)`, a function that returns an awaitable<Expected<T>>,
  /// gives.
  template <auto kOperation, class... Arguments>
  auto read(Lane lane, Arguments... arguments) {
    using Answer = std::invoke_result_t<decltype(kOperation), Session&, const Arguments&...>;
    return read_by<typename Answer::value_type>(
        lane, [... arguments = std::move(arguments)](Session& session) {
          return kOperation(session, arguments...);
        });
  }
  template <auto kOperation, class... Arguments>
  auto write(Lane lane, Arguments... arguments) {
    using Answer = std::invoke_result_t<decltype(kOperation), WriteSession&, const Arguments&...>;
    return write_by<typename Answer::value_type>(
        lane, [... arguments = std::move(arguments)](WriteSession& session) {
          return kOperation(session, arguments...);
        });
  }

 private:
  template <class Answer, class Operation>
  boost::asio::awaitable<Answer> read_by(Lane lane, Operation operation) {
    std::optional<Answer> answer;
    ReadWork work = [&](Session& session) { return base::keep_result(operation(session), answer); };
    auto error = co_await reads(lane, std::move(work));
    if (error) co_return std::unexpected(*std::move(error));
    co_return *std::move(answer);
  }
  template <class Answer, class Operation>
  boost::asio::awaitable<Answer> write_by(Lane lane, Operation operation) {
    std::optional<Answer> answer;
    WriteWork work = [&](WriteSession& session) {
      return base::keep_result(operation(session), answer);
    };
    auto error = co_await writes(lane, std::move(work));
    if (error) co_return std::unexpected(*std::move(error));
    co_return *std::move(answer);
  }
};

}  // namespace tesela::store::sql
