// What the metrics and the log are told of live tables.
#pragma once

#include <string_view>

#include "server/metrics/metrics.h"
#include "server/store/table_rows.h"

namespace tesela::tables {

/// Logs a table that was stored just now.
void note_made(const store::TableRow& row);

/// Counts a table that came to its end, and logs it. `end` is "finished" or "resigned"; a closed
/// table is "closed" in any case.
void note_end(metrics::Metrics& metrics, const store::TableRow& row, std::string_view end);

/// Counts one table, by game and state, and the bots that play there; and its end. One thread: the
/// table's.
class TableGauge {
 public:
  explicit TableGauge(metrics::Metrics& metrics)
      : metrics_(metrics), bots_(metrics.online("bot")) {}
  TableGauge(const TableGauge&) = delete;
  TableGauge& operator=(const TableGauge&) = delete;
  ~TableGauge() { leave(); }

  /// Removes the table from its gauges when the scope ends.
  class Scope {
   public:
    explicit Scope(TableGauge& gauge) : gauge_(gauge) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { gauge_.leave(); }

   private:
    TableGauge& gauge_;
  };

  /// Moves the table to the gauge of the row's game and state. `end`: as of note_end, if the game
  /// has ended with this row.
  void count(const store::TableRow& row, std::string_view end = "finished");

 private:
  void leave();

  metrics::Metrics& metrics_;
  prometheus::Gauge& bots_;
  prometheus::Gauge* gauge_ = nullptr;
  double playing_bots_ = 0;
  bool ended_ = false;
};

}  // namespace tesela::tables
