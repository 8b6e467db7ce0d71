#include "server/store/postgres/connection/connection.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string_view>
#include <utility>

#include "server/store/postgres/connection/failure.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// Plans are made once, and by indexes: the statistics of a new table say nothing. A transaction of
// a server that hangs or was cut off lets its locks go, about when its tables may be taken.
constexpr const char* kBeginSession =
    "SELECT set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit')"
    " IN ('off', 'local') THEN 'on' ELSE current_setting('synchronous_commit') END, false),"
    " set_config('jit', 'off', false), set_config('plan_cache_mode', 'force_generic_plan', false),"
    " set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),"
    " set_config('enable_mergejoin', 'off', false),"
    " set_config('idle_in_transaction_session_timeout', '6s', false),"
    " set_config('client_encoding', 'UTF8', false),"
    " set_config('application_name', 'tesela', false), set_config('tesela.writer', $1, false)";

constexpr const char* kSession =
    "SELECT pid::bigint, (extract(epoch FROM backend_start) * 1000000)::bigint,"
    " pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"
    " FROM pg_stat_activity WHERE pid = pg_backend_pid()";

constexpr const char* kEndProcess =
    "SELECT pg_terminate_backend(pid, 3000) FROM pg_stat_activity WHERE pid = $1::bigint"
    " AND (extract(epoch FROM backend_start) * 1000000)::bigint = $2::bigint";

/// PostgreSQL's message on one line.
std::string line_of(const char* message) {
  std::string line = message == nullptr ? "" : message;
  std::ranges::replace(line, '\n', ' ');
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string field(const PGresult* result, int name) {
  const char* text = PQresultErrorField(result, name);
  return text == nullptr ? "" : text;
}

}  // namespace

awaitable<void> Connection::open(std::string url, std::optional<Served> before, Time until) {
  const std::vector<Host> hosts = hosts_of(url);
  for (std::size_t i = 0; !handle_; ++i) {
    const bool is_last = i + 1 == hosts.size();
    const Time now = std::chrono::steady_clock::now();
    const Time share = now + (until - now) / static_cast<Time::rep>(hosts.size() - i);
    const auto& time_max = hosts[i].time_max;
    until_ = time_max ? std::min(share, now + *time_max) : share;
    try {
      co_await connect(hosts[i]);
    } catch (const Failure&) {
      if (is_last || given_up_) throw;
      handle_.reset();
      lost_ = timed_out_ = false;
    }
  }
  until_.reset();
  co_await begin_session(before, until);
}

awaitable<void> Connection::connect(const Host& host) {
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const auto& [keyword, value] : host.options) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  const int expands_dbname = host.options.size() == 1 ? 1 : 0;  // a URL
  handle_.reset(PQconnectStartParams(keywords.data(), values.data(), expands_dbname));
  if (!handle_ || PQstatus(handle_.get()) == CONNECTION_BAD) lose();
  PQsetNoticeReceiver(handle_.get(), notice, this);  // otherwise libpq prints them
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  while (next != PGRES_POLLING_OK) {
    // A new one each time: libpq may have gone on to another host.
    watch_socket();
    co_await wait(next == PGRES_POLLING_READING ? Descriptor::wait_read : Descriptor::wait_write);
    next = PQconnectPoll(handle_.get());
    if (next == PGRES_POLLING_FAILED) lose();
  }
  watch_socket();
  if (PQsetnonblocking(handle_.get(), 1) != 0 || PQenterPipelineMode(handle_.get()) != 1) lose();
}

awaitable<void> Connection::begin_session(std::optional<Served> before, Time until) {
  Batch batch;
  batch.add(kBeginSession).bytes(std::to_string(writer_));
  batch.add(kSession);
  if (before) batch.add(kEndProcess).number(before->process).number(before->began_us);
  const auto results = co_await run(std::move(batch), until);
  if (results[1].size() != 1) lose("PostgreSQL does not show the session its own process.");
  if (results[1][0].flag(2)) lose("The database can only be read: it is a standby.");
  const bool has_ended = !before || results[2].empty() || results[2][0].flag(0);
  if (!has_ended) lose("The process of a lost connection has not ended.");
  served_ = Served{.process = results[1][0].number(0), .began_us = results[1][0].number(1)};
}

awaitable<std::vector<Rows>> Connection::run(Batch batch, Time until) {
  if (lost_) lose();
  ++*runs_;
  boost::system::error_code ignored;
  socket_->cancel(ignored);  // watch_idle
  until_ = until;
  send(batch);
  co_await flush();
  co_return co_await receive();
}

void Connection::send(const Batch& batch) {
  PGconn* const handle = handle_.get();
  preparing_.clear();
  for (const Query& query : batch.queries()) {
    const char* const sql = query.sql().postgres;
    const auto [name, is_new] = prepared_.try_emplace(sql);
    if (is_new) {
      name->second = "s" + std::to_string(++names_);
      if (PQsendPrepare(handle, name->second.c_str(), sql, 0, nullptr) != 1) lose();
      preparing_.push_back(sql);
    }
    const Parameters parameters(query);
    const int sent =
        PQsendQueryPrepared(handle, name->second.c_str(), parameters.size(), parameters.values(),
                            parameters.lengths(), parameters.formats(), 1);
    if (sent != 1) lose();
    preparing_.push_back(nullptr);
  }
  if (PQpipelineSync(handle) != 1) lose();
}

// No statement has large parameters and a large answer at once, so that PostgreSQL never waits for
// an answer to be read while it is sent more.
awaitable<void> Connection::flush() {
  int left = PQflush(handle_.get());
  while (left == 1) {
    co_await wait(Descriptor::wait_write);
    left = PQflush(handle_.get());
  }
  if (left != 0) lose();
}

awaitable<PGresult*> Connection::next_result() {
  while (PQisBusy(handle_.get()) == 1) {
    co_await wait(Descriptor::wait_read);
    if (PQconsumeInput(handle_.get()) != 1) lose();
  }
  PGresult* const result = PQgetResult(handle_.get());
  if (PQstatus(handle_.get()) == CONNECTION_BAD) {
    PQclear(result);
    lose();
  }
  co_return result;
}

awaitable<std::vector<Rows>> Connection::receive() {
  std::vector<Rows> results;
  std::optional<Failure> refusal;
  for (;;) {
    PGresult* const next = co_await next_result();
    if (next == nullptr) {  // the end of a statement's results
      if (!preparing_.empty()) preparing_.pop_front();
      continue;
    }
    Rows result = rows_of(next);
    const ExecStatusType status = PQresultStatus(next);
    if (status == PGRES_PIPELINE_SYNC) break;
    if (status == PGRES_FATAL_ERROR) {
      if (field(next, PG_DIAG_SEVERITY_NONLOCALIZED) != "ERROR") {
        lose(line_of(PQresultErrorMessage(next)));
      }
      refusal.emplace(field(next, PG_DIAG_SQLSTATE), field(next, PG_DIAG_CONSTRAINT_NAME),
                      line_of(PQresultErrorMessage(next)));
    }
    take(std::move(result), status, results);
  }
  until_.reset();
  if (not_replicated_) lose("A commit has not waited for the standby.");
  if (refusal) throw Failure(*refusal);
  co_return results;
}

void Connection::take(Rows result, ExecStatusType status, std::vector<Rows>& results) {
  const char* const prepared = preparing_.empty() ? nullptr : preparing_.front();
  const bool done = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
  if (prepared != nullptr && !done) prepared_.erase(prepared);
  if (prepared == nullptr && done) results.push_back(std::move(result));
}

awaitable<void> Connection::wait(Descriptor::wait_type what) {
  if (timed_out_) lose("PostgreSQL does not answer.");
  boost::system::error_code error;
  co_await socket_->async_wait(what,
                               boost::asio::redirect_error(boost::asio::use_awaitable, error));
  if (timed_out_) lose("PostgreSQL does not answer.");
  if (error) lose(error.message());
}

void Connection::watch_socket() {
  socket_.reset();
  const int duplicate = ::fcntl(PQsocket(handle_.get()), F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0) lose("There are no files left for the socket.");
  socket_.emplace(executor_, duplicate);
}

void Connection::watch_idle(std::function<void()> on_lost) {
  socket_->async_wait(Descriptor::wait_read, [this, runs = std::weak_ptr(runs_), at = *runs_,
                                              on_lost = std::move(on_lost)](
                                                 const boost::system::error_code& error) mutable {
    const auto now = runs.lock();
    if (error || !now || *now != at) return;
    if (PQconsumeInput(handle_.get()) == 1) {
      watch_idle(std::move(on_lost));
    } else {
      lost_ = true;
      on_lost();
    }
  });
}

void Connection::watch_input(std::function<void()> on_input) {
  ++*runs_;
  boost::system::error_code ignored;
  socket_->cancel(ignored);
  socket_->async_wait(Descriptor::wait_read,
                      [this, runs = std::weak_ptr(runs_), at = *runs_,
                       on_input = std::move(on_input)](const boost::system::error_code& error) {
                        const auto now = runs.lock();
                        if (error || !now || *now != at) return;
                        if (PQconsumeInput(handle_.get()) != 1) lost_ = true;
                        on_input();
                      });
}

bool Connection::notified() {
  struct Free {
    void operator()(PGnotify* notice) const { PQfreemem(notice); }
  };
  bool by_others = false;
  while (const std::unique_ptr<PGnotify, Free> notice{PQnotifies(handle_.get())}) {
    if (notice->be_pid != PQbackendPID(handle_.get())) by_others = true;
  }
  return by_others;
}

void Connection::watch(Time now) {
  if (until_ && now >= *until_) time_out();
}

void Connection::abort() {
  given_up_ = true;
  time_out();
}

void Connection::time_out() {
  timed_out_ = true;
  boost::system::error_code ignored;
  if (socket_) socket_->cancel(ignored);
}

void Connection::lose(const std::string& what) {
  lost_ = true;
  until_.reset();
  throw Failure::lost(what);
}

void Connection::lose() {
  lose(handle_ ? line_of(PQerrorMessage(handle_.get())) : "There is no memory left.");
}

/// Where a commit was told not to wait for the standby any more, PostgreSQL reports success, with a
/// warning. Its text is in the language of the database.
void Connection::notice(void* connection, const PGresult* notice) {
  if (field(notice, PG_DIAG_SOURCE_FUNCTION) == "SyncRepWaitForLSN") {
    static_cast<Connection*>(connection)->not_replicated_ = true;
  }
}

}  // namespace tesela::store::postgres
