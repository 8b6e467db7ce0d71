#!/usr/bin/env python3
"""Checks the style that matters and that no compiler knows. Prints every breach; exits 1 on one."""

import itertools
import pathlib
import sys

from documents import (check_described, check_games, check_links, check_proto_comments,
                       check_readmes, check_rule_paragraphs)
from includes import check_includes
from structure import check_classes, check_folders, check_mirrors
from style import (check_awaits, check_leftovers, check_lengths, check_machine, check_names,
                   check_prints)
from tree import Tree, read_tree


def findings(tree: Tree, exists):
    """All breaches in `tree`."""
    return itertools.chain(
        check_includes(tree), check_lengths(tree), check_leftovers(tree), check_names(tree),
        check_awaits(tree), check_machine(tree), check_prints(tree), check_proto_comments(tree),
        check_rule_paragraphs(tree), check_games(tree),
        check_readmes(tree), check_links(tree, exists), check_described(tree, exists),
        check_folders(tree), check_classes(tree), check_mirrors(tree))


def main() -> int:
    """0 when the tree is tidy."""
    root = pathlib.Path(__file__).resolve().parents[2]
    tree = read_tree(root)
    found = sorted(findings(tree, lambda path: (root / path).exists()))
    for finding in found:
        print(finding)
    print(f"{len(tree)} files, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
