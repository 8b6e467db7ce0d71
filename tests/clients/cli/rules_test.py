"""`tesela rules` as a user runs it: the vectors, and lines that cannot be read."""

import json
import subprocess
import sys
import unittest

TESELA = sys.argv.pop(1)
MOVES = {"kind": "moves", "id": "q", "n": 2, "grid": [[2, 2], [0, 4]], "objective": 2048}


def ask(lines: str | bytes):
    """The answers, and the exit code."""
    data = lines if isinstance(lines, bytes) else lines.encode()
    run = subprocess.run([TESELA, "rules"], input=data, capture_output=True, timeout=60)
    return [json.loads(line) for line in run.stdout.splitlines()], run.returncode


def question(**changes):
    """A question that can be answered, but for the changes; None takes a field away."""
    fields = MOVES | changes
    return json.dumps({name: value for name, value in fields.items() if value is not None})


class OfVectors(unittest.TestCase):
    def vectors_and_answers(self, name: str, count: int):
        """Each vector of a file with its answer; there are so many."""
        with open(f"tests/vectors/{name}.jsonl", encoding="utf-8") as file:
            text = file.read()
        vectors = [json.loads(line) for line in text.splitlines()]
        answers, code = ask(text)
        self.assertEqual((len(vectors), len(answers), code), (count, count, 0))
        return zip(vectors, answers)


class Vectors(OfVectors):
    def test_every_answer_has_the_id_and_the_fields_of_the_vectors(self):
        for vector, answer in self.vectors_and_answers("2048", 156):
            fields = ("id", "left", "right", "up", "down", "state")
            self.assertEqual(answer, {field: vector[field] for field in fields})


class Vectors2248(OfVectors):
    def test_every_answer_has_the_id_and_the_fields_of_the_vectors(self):
        given = ("kind", "cols", "grid", "path", "example_path")
        for vector, answer in self.vectors_and_answers("2248", 430):
            path = answer.pop("path", None)
            for groups in (vector.get("groups", []), answer.get("groups", [])):
                groups.sort()
            self.assertEqual(answer, {f: v for f, v in vector.items() if f not in given})
            if path is not None:
                self.assert_chain(vector, path)

    def assert_chain(self, vector, path):
        """The path is a chain of the value, or nothing for 0."""
        if vector["value"] == 0:
            self.assertEqual(path, [])
            return
        tiles = [vector["grid"][row * vector["cols"] + column] for row, column in path]
        self.assertEqual(len({tuple(place) for place in path}), len(path))
        self.assertEqual(tiles[0], tiles[1])
        for (row, column), (to_row, to_column) in zip(path, path[1:]):
            self.assertLessEqual(max(abs(row - to_row), abs(column - to_column)), 1)
        self.assertTrue(all(b in (a, 2 * a) for a, b in zip(tiles, tiles[1:])))
        self.assertLess(vector["value"] // 2, sum(tiles))
        self.assertLessEqual(sum(tiles), vector["value"])


class VectorsAzul(OfVectors):
    GIVEN = {"legal": {"state"}, "apply": {"state", "move"}, "round_end": {"state"},
             "tiling": {"wall", "full_lines"}, "bonus": {"wall"},
             "refill": {"players", "bag", "lid"}, "winner": {"final_scores", "complete_rows"}}

    def test_every_answer_has_the_id_and_the_fields_of_the_vectors(self):
        for vector, answer in self.vectors_and_answers("azul", 498):
            given = self.GIVEN[vector["kind"]] | {"kind"}
            self.assertEqual(answer, {f: v for f, v in vector.items() if f not in given})

    def test_whole_games_are_replayed_round_by_round(self):
        for vector, answer in self.vectors_and_answers("azul_games", 24):
            rounds = [{"after": played["after"]} for played in vector["rounds"]]
            self.assertEqual(answer, {"id": vector["id"], "rounds": rounds,
                                      "final": vector["final"], "winners": vector["winners"]})


def azul_question(kind, path=(), value=None):
    """A question about Azul that can be answered, but for what stands at the path."""
    name = "azul_games" if kind == "game" else "azul"
    with open(f"tests/vectors/{name}.jsonl", encoding="utf-8") as file:
        asked = next(v for v in map(json.loads, file) if v["kind"] == kind)
    place = asked
    for step in path[:-1]:
        place = place[step]
    if path:
        place[path[-1]] = value
    return json.dumps(asked | {"id": "q"})


class UnreadableAzul(unittest.TestCase):
    def assert_error(self, words, kind, path, value):
        answers, code = ask(azul_question(kind, path, value))
        self.assertEqual((code, list(answers[0]), answers[0]["id"]), (1, ["id", "error"], "q"))
        self.assertIn(words, answers[0]["error"])

    def test_unchanged_questions_are_answered(self):
        for kind in (*VectorsAzul.GIVEN, "game"):
            self.assertEqual(ask(azul_question(kind))[1], 0)

    def test_states(self):
        for words, path, value in (
                ("'players' must be a whole number from 2 to 4", ["players"], 5),
                ("'players' must be", ["players"], 2.0),
                ("'players' must be", ["players"], 1 << 70),
                ("'players' must be", ["players"], None),
                ("'factories' must be a list of", ["factories"], []),
                ("'factories' must be a list of 5", ["factories", 0], [0, 0, 0, 0]),
                ("'factories' must be a whole number from 0 to 20", ["factories", 0, 4], 21),
                ("'center' must be a whole number", ["center", 2], -1),
                ("'bag' must be a list of 5", ["bag"], "20"), ("'lid' must be", ["lid", 0], [1]),
                ("'current' must be", ["current"], 4), ("'next_first' must be", ["next_first"], -2),
                ("'token_in_center' must be true or false", ["token_in_center"], 1),
                ("'boards' must be a list of", ["boards"], {}),
                ("'score' must be", ["boards", 0, "score"], -1),
                ("There is no 'score'", ["boards", 0], {}),
                ("There is no 'score'", ["boards", 0], 7),
                ("'lines' must be a list of 5", ["boards", 0, "lines"], [[0, 1]]),
                ("'lines' must be a list of 2", ["boards", 0, "lines", 0], [0]),
                ("'lines' must be a whole number from 0 to 1", ["boards", 0, "lines", 0], [0, 2]),
                ("is [-1, 0]", ["boards", 0, "lines", 1], [-1, 1]),
                ("is [-1, 0]", ["boards", 0, "lines", 1], [2, 0]),
                ("'wall' must be a list of 5", ["boards", 0, "wall", 4], [0] * 6),
                ("'wall' must be a whole number from 0 to 1", ["boards", 0, "wall", 4, 4], 2),
                ("'floor' must be a list of 0 to 7", ["boards", 0, "floor"], [0] * 8),
                ("'floor' must be a whole number", ["boards", 0, "floor"], [6])):
            self.assert_error(words, "round_end", ["state", *path], value)
        self.assert_error("There is no 'state'", "bonus", ["kind"], "apply")
        state = json.loads(azul_question("legal"))["state"]
        self.assert_error("exactly when 'next_first' is -1", "legal",
                          ["state", "token_in_center"], not state["token_in_center"])

    def test_moves(self):
        for words, value in (
                ("'move' must be a list of 3", None), ("'move' must be a list of 3", [0, 0]),
                ("'move' must be a whole number from -1 to 8", [9, 0, 0]),
                ("'move' must be a whole number from 0 to 4", [0, 5, 0]),
                ("'move' must be a whole number from 0 to 5", [0, 0, 6]),
                ("There is no such factory display", [8, 0, 0])):
            self.assert_error(words, "apply", ["move"], value)

    def test_other_kinds(self):
        self.assert_error("'full_lines' must be a whole number", "tiling", ["full_lines", 0], 5)
        self.assert_error("'wall' must be a list", "bonus", ["wall"], None)
        self.assert_error("'players' must be", "refill", ["players"], 1)
        self.assert_error("'final_scores' must be a list of 2", "winner", ["final_scores"], [1])
        self.assert_error("'complete_rows' must be a list", "winner", ["complete_rows"], [])
        self.assert_error("'rounds' must be a list", "game", ["rounds"], [])
        self.assert_error("do not take all tiles", "game", ["rounds", 0, "moves"], [[0, 0, 0]])
        self.assert_error("There is no 'factories'", "game", ["rounds", 1], {"start_player": 0})


class Unreadable2248(unittest.TestCase):
    def test_what_cannot_be_read(self):
        join = {"kind": "join", "id": "q", "cols": 2, "grid": [2, 2, 4, 8],
                "path": [[0, 0], [0, 1]]}
        self.assertEqual(ask(json.dumps(join))[1], 0)
        for changes, words in (
                ({"cols": None}, "'cols' must be a whole number"),
                ({"cols": 0}, "4 cells are no rows of 0"), ({"cols": 3}, "no rows of 3"),
                ({"grid": None}, "'grid' must be a list"), ({"grid": []}, "1 to 120 cells, not 0"),
                ({"grid": [2] * 122}, "1 to 120 cells, not 122"),
                ({"grid": [2, "2"]}, "whole numbers"), ({"grid": [2, -2]}, "whole numbers"),
                ({"grid": [2, 3]}, "3 is not a power of two"), ({"grid": [2, 1]}, "1 is not"),
                ({"grid": [2, 1 << 61]}, "is not a power of two from 2 to 2^60"),
                ({"path": None}, "'path' must be a list"), ({"path": [5, 6]}, "not 5"),
                ({"path": [[0, 0], [0, 2]]}, "not [0,2]"),
                ({"path": [[0, 0], [2, 0]]}, "not [2,0]"),
                ({"path": [[0, 0, 0]]}, "not [0,0,0]"), ({"path": [[0, -1]]}, "not [0,-1]"),
                ({"path": [[0, 0]] * 121}, "at most 120 cells, not 121"),
                ({"path": []}, "at least two tiles"),
                ({"path": [[0, 0], [1, 0]]}, "4 after 2 does not")):
            line = json.dumps({n: v for n, v in (join | changes).items() if v is not None})
            answers, code = ask(line)
            self.assertEqual((answers[0]["id"], code), ("q", 1))
            self.assertIn(words, answers[0]["error"])

    def test_booster_of_too_much(self):
        line = {"kind": "booster", "id": 1, "cols": 3, "grid": [1 << 59] * 3}
        answers, code = ask(json.dumps(line))
        self.assertEqual(code, 1)
        self.assertIn("more than 2^60", answers[0]["error"])


class SameGameVectors(OfVectors):
    def test_every_answer_has_the_id_and_the_fields_of_the_vectors(self):
        given = ("kind", "rows", "cols", "board", "move")
        for vector, answer in self.vectors_and_answers("samegame", 181):
            self.assertEqual(answer, {f: v for f, v in vector.items() if f not in given})


class SameGame(unittest.TestCase):
    """What the vectors do not ask."""

    def ask_move(self, **changes):
        fields = {"kind": "move", "id": "q", "board": [[1, 0], [0, 0]], "move": [1, 0]} | changes
        answers, code = ask(json.dumps({n: v for n, v in fields.items() if v is not None}))
        return answers[0], code

    def test_move_outside_the_board_is_not_valid(self):
        for move in ([2, 0], [0, 2], [0, 1 << 63]):
            answer = {"id": "q", "valid": False, "groups": [[[0, 1], [1, 0], [1, 1]]]}
            self.assertEqual(self.ask_move(move=move), (answer, 0))

    def test_board_without_a_tile(self):
        answer = {"id": "q", "valid": False, "groups": []}
        self.assertEqual(self.ask_move(board=[[-1, -1]], move=[0, 0]), (answer, 0))

    def test_what_cannot_be_read(self):
        for changes, words in (
                ({"board": None}, "'board' must be a list of rows"),
                ({"board": [5]}, "'board' must be a list of rows"),
                ({"board": []}, "'board' must be a list of rows"),
                ({"board": [[]]}, "1 to 30 rows and columns, not 1 and 0"),
                ({"board": [[0]] * 31}, "1 to 30 rows and columns, not 31 and 1"),
                ({"board": [[0, 1], [0]]}, "lists of the same length"),
                ({"board": [[0, 9]]}, "-1 (empty) or a colour from 0 to 8"),
                ({"board": [[0, -2]]}, "-1 (empty) or a colour"),
                ({"board": [[0, (1 << 64) - 1]]}, "-1 (empty) or a colour"),
                ({"board": [[0, 1.0]]}, "-1 (empty) or a colour"),
                ({"board": [[0, "1"]]}, "-1 (empty) or a colour"),
                ({"board": [[0, 1], [0, -1]]}, "row 0, column 1 hangs in the air"),
                ({"board": [[-1, 1]]}, "Column 0 is empty"),
                ({"rows": 3}, "'rows' is not the size"), ({"cols": "2"}, "'cols' must be"),
                ({"move": None}, "'move' must be a row and a column"),
                ({"move": [0]}, "'move' must be"), ({"move": [0, -1]}, "'move' must be"),
                ({"move": [0, 0.5]}, "'move' must be"), ({"move": 3}, "'move' must be")):
            answer, code = self.ask_move(**changes)
            self.assertEqual((answer.keys(), code), ({"id", "error"}, 1), changes)
            self.assertIn(words, answer["error"])


class Answers(unittest.TestCase):
    def test_last_line_needs_no_end(self):
        answers, code = ask(question())
        self.assertEqual((answers[0]["left"]["grid"], code), ([[4, 0], [4, 0]], 0))

    def test_number_of_rows_may_be_left_out(self):
        self.assertEqual(ask(question(n=None))[1], 0)

    def test_line_ends_of_windows(self):
        self.assertEqual(ask(question() + "\r\n")[1], 0)

    def test_nothing_asked_nothing_answered(self):
        self.assertEqual(ask(""), ([], 0))

    def test_objective_reached_is_a_win_even_without_a_move(self):
        answers, _ = ask(question(grid=[[2, 4], [8, 2]], objective=8))
        self.assertEqual(answers[0]["state"], "win")

    def test_answers_come_at_once(self):
        with subprocess.Popen([TESELA, "rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as run:
            run.stdin.write(question() + "\n")
            run.stdin.flush()
            self.assertEqual(json.loads(run.stdout.readline())["id"], "q")
            run.stdin.close()


class Unreadable(unittest.TestCase):
    def assert_error(self, line, identity, words):
        answers, code = ask(line if isinstance(line, bytes) else line + "\n")
        self.assertEqual(code, 1)
        self.assertEqual(len(answers), 1)
        self.assertEqual(answers[0].keys(), {"id", "error"})
        self.assertEqual(answers[0]["id"], identity)
        self.assertIn(words, answers[0]["error"])

    def test_lines_that_are_no_object(self):
        for line in ("", "what?", "[1]", "7", "null", '"id"', "{", '{"id":1e999}', "[" * 100_000):
            self.assert_error(line, None, "not a JSON object")

    def test_bytes_that_are_no_text(self):
        self.assert_error(b'{"id":"\xff\xfe","kind":"moves"}\n', None, "not a JSON object")
        self.assert_error(b'\x00\n', None, "not a JSON object")

    def test_line_that_is_too_long(self):
        self.assert_error("x" * (1 << 21), None, "longer than 1 MiB")

    def test_ids(self):
        for identity in (None, [1], {"a": 1}, True):
            self.assert_error(question(id=identity), None, "no id")

    def test_kinds(self):
        self.assert_error(question(kind=None), "q", "known are: moves")
        self.assert_error(question(kind=5), "q", "known are: moves")
        self.assert_error(question(kind="chess"), "q", "'chess'; the kinds known are: moves")

    def test_grids(self):
        for grid, words in (
                (None, "must be a list of rows"), (5, "must be a list of rows"),
                ([], "2 to 8 rows, not 0"), ([[2]], "2 to 8 rows, not 1"),
                ([[0] * 9] * 9, "2 to 8 rows, not 9"),
                ([[2, 2], [2]], "must be square"), ([[2, 2]], "must be square"),
                ([2, 2], "must be square"),
                ([[2, "2"], [0, 0]], "whole numbers"), ([[2, 2.0], [0, 0]], "whole numbers"),
                ([[2, -2], [0, 0]], "whole numbers"), ([[2, None], [0, 0]], "whole numbers"),
                ([[2, 1 << 64], [0, 0]], "whole numbers"),
                ([[2, 3], [0, 0]], "3 is not a power of two"), ([[2, 1], [0, 0]], "1 is not"),
                ([[2, 1 << 32], [0, 0]], "4294967296 is not"),
                ([[2, 1 << 63], [0, 0]], "9223372036854775808 is not")):
            self.assert_error(question(grid=grid), "q", words)

    def test_other_fields(self):
        self.assert_error(question(n=3), "q", "'n'")
        self.assert_error(question(n="2"), "q", "'n'")
        for objective in (None, "2048", -1, 1.5):
            self.assert_error(question(objective=objective), "q", "'objective'")
        for objective in (0, 1, 2, 3, 1 << 32):
            self.assert_error(question(objective=objective), "q", "power of two from 4 to 2^31")

    def test_goes_on_after_an_error(self):
        answers, code = ask("\n".join([question(id=1), "broken", question(id=2)]) + "\n")
        self.assertEqual(([answer["id"] for answer in answers], code), ([1, None, 2], 1))


if __name__ == "__main__":
    unittest.main()
