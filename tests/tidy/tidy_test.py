"""Each check finds what it is there for, and lets the good neighbour pass."""

import json
import pathlib
import tempfile
import unittest

import clang_tidy
import documents
import includes
import structure
import style


def include(target: str) -> str:
    return f"#include {target}\n"


class Includes(unittest.TestCase):
    def found(self, path: str, target: str) -> bool:
        return bool(list(includes.check_includes({path: include(target)})))

    def test_the_engine_includes_the_standard_library_and_itself(self):
        self.assertFalse(self.found("engine/core/rng.h", "<array>"))
        self.assertFalse(self.found("engine/g2048/g2048.cc", '"engine/core/rng.h"'))
        self.assertFalse(self.found("engine/g2048/g2048.cc", '"engine/g2048/g2048.h"'))
        self.assertTrue(self.found("engine/core/rng.h", "<boost/asio.hpp>"))
        self.assertTrue(self.found("engine/core/rng.h", "<unistd.h>"))
        self.assertTrue(self.found("engine/core/rng.h", '"server/base/limits.h"'))

    def test_dependencies_inside_the_engine_point_one_way(self):
        self.assertTrue(self.found("engine/core/game.h", '"engine/g2048/g2048.h"'))
        self.assertTrue(self.found("engine/azul/azul.h", '"engine/g2048/g2048.h"'))
        self.assertTrue(self.found("engine/g2048/g2048.h", '"engine/strategy/strategy.h"'))
        self.assertFalse(self.found("engine/strategy/g2048/look.h", '"engine/g2048/g2048.h"'))
        self.assertFalse(self.found("engine/strategy/g2048/look.h", '"engine/strategy/uct.h"'))
        self.assertFalse(self.found("engine/strategy/registry.h", '"engine/g2048/g2048.h"'))
        self.assertTrue(self.found("engine/strategy/uct.h", '"engine/g2048/g2048.h"'))
        self.assertTrue(self.found("engine/strategy/azul/uct.h", '"engine/strategy/g2048/x.h"'))

    def test_the_engine_has_no_clock_and_no_thread(self):
        self.assertTrue(self.found("engine/g2048/g2048.cc", "<thread>"))
        self.assertTrue(self.found("engine/g2048/g2048.cc", "<chrono>"))
        self.assertFalse(self.found("engine/strategy/strategy.h", "<chrono>"))

    def test_generated_messages_stay_at_the_edges(self):
        message = '"tesela/game/v1/g2048.pb.h"'
        self.assertTrue(self.found("engine/g2048/g2048.cc", message))
        self.assertTrue(self.found("server/tables/table.cc", message))
        self.assertFalse(self.found("server/games/g2048.cc", message))
        self.assertFalse(self.found("clients/cli/play.cc", message))

    def test_the_folders_of_the_terminal_program_point_one_way(self):
        self.assertFalse(self.found("clients/cli/play/play.cc", '"clients/cli/table/table_view.h"'))
        self.assertFalse(self.found("clients/cli/games/games.cc", '"server/games/azul/azul.h"'))
        self.assertFalse(self.found("clients/cli/main.cc", '"clients/cli/play/subcommands.h"'))
        self.assertTrue(self.found("clients/cli/table/table_view.cc", '"clients/cli/play/x.h"'))
        self.assertTrue(self.found("clients/cli/screen/canvas.h", '"clients/cli/games/games.h"'))
        self.assertTrue(self.found("clients/cli/client/connect.h", '"server/base/limits.h"'))
        self.assertTrue(self.found("clients/cli/games/games.cc", '"server/tables/table.h"'))
        self.assertTrue(self.found("clients/cli/new/new.cc", '"clients/cli/main.h"'))

    def test_the_folders_of_the_terminal_program_form_no_circle(self):
        below = {folder: set(others) for folder, others in includes.CLI_FOLDERS.items()}
        while below:
            ground = [folder for folder, others in below.items() if not others & set(below)]
            self.assertTrue(ground, f"a circle among {sorted(below)}")
            for folder in ground:
                del below[folder]

    def test_the_server_includes_no_client_and_no_test(self):
        self.assertTrue(self.found("server/main.cc", '"clients/cli/stream.h"'))
        self.assertTrue(self.found("server/main.cc", '"tests/server/fixture.h"'))


    def test_games_of_the_server_know_nothing_of_each_other(self):
        self.assertFalse(self.found("server/games/azul/azul.cc", '"server/games/azul/azul.h"'))
        self.assertFalse(self.found("server/games/azul/azul.cc", '"server/games/entry.h"'))
        self.assertTrue(self.found("server/games/games.cc", '"server/games/azul/azul.h"'))
        self.assertTrue(self.found("server/games/azul/azul.cc", '"server/games/chess/chess.h"'))


class Structure(unittest.TestCase):
    def test_a_folder_has_at_most_30_files(self):
        tree = {f"server/base/{number}.h": "" for number in range(30)}
        self.assertFalse(list(structure.check_folders(tree)))
        tree["server/base/one_more.h"] = ""
        self.assertTrue(list(structure.check_folders(tree)))

    def test_a_folder_within_the_limit_is_no_exception(self):
        tree = {"tests/tidy/tidy.py": "", "engine/g2248/one.h": ""}
        found = [finding.path for finding in structure.check_folders(tree)]
        self.assertIn("tests/e2e", found)

    def test_tests_are_divided_as_what_they_test(self):
        tree = {"server/quota/rate.h": "", "tests/server/quota/rate_test.cc": "",
                "tests/server/store/memory/memory_store.cc": "", "tests/bench/echo_test.cc": ""}
        self.assertFalse(list(structure.check_mirrors(tree)))
        tree["tests/server/lobby/rate_test.cc"] = ""
        self.assertEqual(["tests/server/lobby/rate_test.cc"],
                         [finding.path for finding in structure.check_mirrors(tree)])

    def scattered(self, *definitions: str, other: str = "tesela::codec") -> bool:
        namespaces = ("tesela::codec", other)
        tree = {f"server/codec/{number}.cc": f"namespace {namespace} {{\n{definition} {{\n"
                for number, (namespace, definition) in enumerate(zip(namespaces, definitions))}
        return bool(list(structure.check_classes(tree)))

    def test_a_class_stands_in_one_source(self):
        self.assertTrue(self.scattered("Frame::Frame(int x)", "void Frame::read()"))
        self.assertTrue(self.scattered("Frame::~Frame()", "Expected<Frame*> Frame::next(int x)"))
        self.assertTrue(self.scattered("void Frame<T>::add()", "Frame::Part Frame::part()"))
        self.assertTrue(self.scattered("bool Frame::operator==(int)", "void Frame::Part::add()"))

    def test_what_only_looks_scattered(self):
        self.assertFalse(self.scattered("void Frame::add()", "void Record::add()"))
        self.assertFalse(self.scattered("void Frame::add()", "  Frame::add()"))
        self.assertFalse(self.scattered("void Frame::add()", "const auto kAll = Frame::all()"))
        self.assertFalse(self.scattered("void Frame::a()", "void Frame::b()", other="tesela::net"))


class Style(unittest.TestCase):
    def test_a_file_has_at_most_400_lines(self):
        self.assertFalse(list(style.check_lengths({"engine/a.cc": "x\n" * 400})))
        self.assertTrue(list(style.check_lengths({"engine/a.cc": "x\n" * 401})))

    def test_a_line_has_at_most_100_columns_counted_in_characters(self):
        self.assertFalse(list(style.check_lengths({"a.cc": "…" * 100})))
        self.assertTrue(list(style.check_lengths({"a.cc": "x" * 101})))
        self.assertTrue(list(style.check_lengths({"tests/CMakeLists.txt": "x" * 101})))

    def test_unfinished_work_is_found(self):
        self.assertTrue(list(style.check_leftovers({"a.cc": "// TO" + "DO later"})))
        self.assertFalse(list(style.check_leftovers({"a.cc": "// TO" + "DOS is a fish's name"})))

    def test_a_raw_print_of_the_terminal_program_is_found(self):
        def found(line: str, path: str = "clients/cli/play/board.cc") -> bool:
            return bool(list(style.check_prints({path: line})))
        for line in ("  std::cout << name;", "  std::cerr<< name;", "    notes_ << said;",
                     '  fprintf(stderr, "%s", name);', '  fmt::print("{}", name);'):
            self.assertTrue(found(line), line)
        self.assertFalse(found('  print(std::cout, "{}\\n", name);'))
        self.assertFalse(found("  snprintf(text, size, format);"))
        self.assertFalse(found("  std::cout << draw(s);", "clients/cli/simulate/report.cc"))
        self.assertFalse(found("  out << what.text();", style.PRINTED[0]))

    def test_an_await_inside_a_condition_is_found(self):
        def lines(code: str) -> list[int]:
            return [finding.line for finding in style.check_awaits({"server/race.cc": code})]
        self.assertEqual(lines("const auto a = b\n  ? c\n  : co_await d(e);"), [3])
        self.assertEqual(lines("co_await d(a ? b : c);\nif (e) co_await f();  // why? so"), [])

    def test_names_are_snake_case_and_say_something(self):
        for path in ("server/net/HttpRouter.cc", "server/net/http-router.h", "server/net/utils.h",
                     "clients/web/src/lib/commonStuff.ts", "tests/helpers/board.cc"):
            self.assertTrue(list(style.check_names({path: ""})), path)
        for path in ("server/net/http/http_router.cc", "tests/e2e/lobby.test.mjs", "README.md",
                     "clients/web/src/utility_bill.ts"):
            self.assertFalse(list(style.check_names({path: ""})), path)

    def test_nothing_of_one_machine_is_committed(self):
        self.assertTrue(list(style.check_machine({"a.sh": "cd /wo" + "rk/main"})))
        self.assertTrue(list(style.check_machine({".npmrc": "registry=registry.npm" + "js.org"})))
        self.assertTrue(list(style.check_machine(
            {"clients/package-lock.json": '"resolved": "https://packages.example/a.tgz"'})))
        self.assertFalse(list(style.check_machine(
            {"clients/package-lock.json": '"url": "https://github.com/sponsors/a"'})))


class Documents(unittest.TestCase):
    def test_every_proto_element_has_a_comment(self):
        for bare in ("message A {", "enum E {", "  rpc Get(A) returns (B);", "  uint32 x = 1;",
                     "  repeated Table tables = 1;", "  REASON_STALE = 10;", "  oneof frame {",
                     "  optional bool b = 6;", "  google.protobuf.Any any = 2;"):
            tree = {"proto/tesela/a.proto": f"\n{bare}\n"}
            self.assertTrue(list(documents.check_proto_comments(tree)), bare)
            tree = {"proto/tesela/a.proto": f"// Said.\n{bare}\n"}
            self.assertFalse(list(documents.check_proto_comments(tree)), bare)

    def test_syntax_and_imports_need_no_comment(self):
        tree = {"proto/a.proto": 'syntax = "proto3";\n\npackage a.v1;\nimport "a/b.proto";\n'}
        self.assertFalse(list(documents.check_proto_comments(tree)))

    def test_every_paragraph_of_the_rules_is_named_by_a_test(self):
        rules = {"engine/g2048/RULES.md": "- **R-2048-1 Board.** 4 x 4\n- **R-2048-10 End.**"}
        named = {"tests/engine/board_test.cc": "// R-2048-10"}
        self.assertEqual(len(list(documents.check_rule_paragraphs(rules))), 2)
        self.assertEqual([f.line for f in documents.check_rule_paragraphs(rules | named)], [1])

    def test_a_game_has_what_is_found_by_its_name(self):
        parts = {part.replace("NAME", "g2048").replace("GAME", "2048"): ""
                 for part in documents.OF_EACH_GAME}
        rules = {"engine/g2048/RULES.md": ""}
        self.assertFalse(list(documents.check_games(rules | parts)))
        del parts["tests/verify/games/2048.py"]
        self.assertTrue(list(documents.check_games(rules | parts)))

    def test_every_room_has_a_page(self):
        pages = {"README.md": ""} | {f"{room}/README.md": "" for room in documents.ROOMS}
        self.assertFalse(list(documents.check_readmes(pages)))
        del pages["clients/cli/README.md"]
        self.assertTrue(list(documents.check_readmes(pages)))

    def test_links_lead_somewhere(self):
        def found(text):
            return list(documents.check_links({"server/README.md": text}, {"LICENSE"}.__contains__))

        self.assertFalse(found("[licence](../LICENSE) [web](https://a.example) [up](#top)"))
        self.assertTrue(found("[licence](LICENSE)"))

    def test_what_a_document_names_is_there(self):
        def found(text):
            tree = {"CONTRIBUTING.md": text, "server/base/limits.h": "constexpr int kNameMax = 8;",
                    "server/base/CMakeLists.txt": "tesela_library(tesela_base\n"
                                                  "  tesela_test(engine_${game}_test\n"}
            return list(documents.check_described(tree, {"server/base/limits.h"}.__contains__))

        self.assertFalse(found("`server/base/limits.h` has `kNameMax`; `engine/NAME/NAME.h`"))
        self.assertFalse(found("```sh\nninja -C build/dev tesela_base\n```\nserver/gone.h"))
        self.assertTrue(found("`server/base/gone.h`"))
        self.assertFalse(found("`base/limits` and base/gone"))
        self.assertTrue(found("`base/gone`"))
        self.assertTrue(found("`limits::kGone`"))
        self.assertTrue(found("```sh\nninja -C build/dev tesela_gone\n```"))
        self.assertFalse(found("```sh\nninja -C build/dev engine_chess_test\n```"))
        self.assertTrue(found("```sh\nninja -C build/dev engine_chess_bench\n```"))


class ClangTidy(unittest.TestCase):
    MOVED = """
        #include <string>
        #include <utility>
        bool moved(std::string text) {
          const std::string taken = std::move(text);
          return text.empty() && taken.empty();
        }
        """

    def test_own_code_is_checked_though_that_of_libraries_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / ".clang-tidy").write_text("Checks: -*,bugprone-use-after-move\n"
                                               "WarningsAsErrors: '*'\n")
            own_code = clang_tidy.plugin(build)
            for name, text in (("bad.cc", self.MOVED), ("good.cc", "#include <string>\n")):
                (build / name).write_text(text)
            (build / "compile_commands.json").write_text(json.dumps(
                [{"directory": folder, "file": name, "command": f"clang++ -std=c++20 -c {name}"}
                 for name in ("bad.cc", "good.cc")]))
            self.assertIn("use-after-move", clang_tidy.check(build / "bad.cc", build, own_code))
            self.assertEqual("", clang_tidy.check(build / "good.cc", build, own_code))


if __name__ == "__main__":
    unittest.main()
