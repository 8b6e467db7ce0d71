"""A position as text."""

from collections.abc import Sequence

from google.protobuf.message import Message

from tesela.feed import Change

_EMPTY = "·"


def drawn(change: Change) -> str:
    """The grid that the server sends, with its facts; else the cells of the view, by their
    numbers; else the fields of the view."""
    grid, view = change.grid, change.view
    if grid:
        names = [*grid.names] + [str(kind) for kind in range(len(grid.names), 256)]
        cells = [names[kind] if kind else _EMPTY for kind in grid.cells]
        facts = [f"{fact.name}: {fact.value}" for fact in grid.facts]
        return "\n".join([_rows(cells, grid.columns), *facts, *filter(None, [grid.text])])
    columns = _columns(view)
    if columns:
        return _rows([str(kind) if kind else _EMPTY for kind in view.cells], columns)
    return str(view)


def _columns(view: object) -> int:
    """How many columns the cells of a view have; 0 of a view that is no grid of cells."""
    fields = view.DESCRIPTOR.fields_by_name if isinstance(view, Message) else {}
    names = [name for name in ("columns", "size") if name in fields and "cells" in fields]
    return int(getattr(view, names[0])) if names else 0


def _rows(cells: Sequence[str], columns: int) -> str:
    width = max(map(len, cells), default=0)
    rows = (cells[at:at + columns] for at in range(0, len(cells), columns))
    return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)
