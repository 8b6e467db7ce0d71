// The metrics of live tables, by game and state.
#pragma once

#include "server/metrics/metrics.h"
#include "server/store/table_rows.h"

namespace tesela::tables {

/// Counts one table in the gauge of its state. One thread: the table's.
class TableGauge {
 public:
  explicit TableGauge(metrics::Metrics& metrics) : metrics_(metrics) {}
  TableGauge(const TableGauge&) = delete;
  TableGauge& operator=(const TableGauge&) = delete;
  ~TableGauge() { leave(); }

  /// Removes the table from its gauge when the scope ends.
  class Scope {
   public:
    explicit Scope(TableGauge& gauge) : gauge_(gauge) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { gauge_.leave(); }

   private:
    TableGauge& gauge_;
  };

  /// Moves the table to the gauge of the row's game and state.
  void count(const store::TableRow& row) {
    const bool waits = row.state == store::TableState::kOpen;
    const bool plays = row.state == store::TableState::kInPlay;
    leave();
    gauge_ = &metrics_.tables(row.game, waits ? "waiting" : plays ? "playing" : "finished");
    gauge_->Increment();
  }

 private:
  void leave() {
    if (gauge_ != nullptr) gauge_->Decrement();
    gauge_ = nullptr;
  }

  metrics::Metrics& metrics_;
  prometheus::Gauge* gauge_ = nullptr;
};

}  // namespace tesela::tables
