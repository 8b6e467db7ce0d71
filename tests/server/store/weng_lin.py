#!/usr/bin/env python3
"""Ratings derived from the likelihood alone, without the formulas that the server computes.

Usage: weng_lin.py          writes the answers, one JSON object a line
       weng_lin.py --check  exits 1 unless weng_lin.jsonl holds exactly these

Weng and Lin (JMLR 12, 2011) take the result of a game as drawn from the Plackett–Luce model: with
theta_i = mu_i and c^2 = sum(sigma_i^2 + beta^2),

    log f = sum over q of (theta_q / c - log(sum of e^(theta_s / c), s not ranked before q)) / A_q

where A_q players share the rank of q. They move a player's mu by sigma^2 times the first derivative
of log f, and shrink its variance by gamma sigma^2 times the second (gamma = sigma / c). Here both
derivatives are differences of log f, in as many digits as that needs.
"""

import decimal
import json
import pathlib
import random
import sys

D = decimal.Decimal
BETA, KAPPA, TAU = D(25) / 6, D("0.0001"), D(25) / 300
STEP = D(10) ** -20
GAMES = 60

decimal.getcontext().prec = 80


def log_likelihood(theta, ranks, c):
    """log f of the model."""
    strengths = [(t / c).exp() for t in theta]
    total = D(0)
    for q, rank in enumerate(ranks):
        left = sum(s for s, r in zip(strengths, ranks) if r >= rank)
        total += (theta[q] / c - left.ln()) / ranks.count(rank)
    return total


def derivatives(theta, ranks, c, i):
    """The first and the second of log f by theta_i."""
    def moved(step):
        return log_likelihood([t + step * (k == i) for k, t in enumerate(theta)], ranks, c)

    up, here, down = moved(STEP), moved(D(0)), moved(-STEP)
    return (up - down) / (2 * STEP), (up - 2 * here + down) / STEP ** 2


def rate(players):
    """[mu, sigma] of each player after the game."""
    theta = [D(p["mu"]) for p in players]
    ranks = [p["rank"] for p in players]
    variances = [D(p["sigma"]) ** 2 + TAU ** 2 for p in players]
    c = sum(v + BETA ** 2 for v in variances).sqrt()
    after = []
    for i, variance in enumerate(variances):
        first, second = derivatives(theta, ranks, c, i)
        gamma = variance.sqrt() / c
        sigma = (variance * max(1 + gamma * variance * second, KAPPA)).sqrt()
        limit = max(D(players[i]["sigma"]), D(25) / 3)
        after.append([float(theta[i] + variance * first), float(min(sigma, limit))])
    return after


def games():
    """Games of two to four players, many of them with ties; the first are among newcomers."""
    dice = random.Random(2011)  # random() alone gives the same numbers in every version of Python
    for number in range(GAMES):
        size = 2 + number % 3
        new = number < 12
        yield [{"mu": 25.0 if new else round(50 * dice.random(), 3),
                "sigma": 25 / 3 if new else round(0.5 + 9 * dice.random(), 3),
                "rank": 1 + int(size * dice.random())} for _ in range(size)]


def main() -> int:
    """0 when the answers are written, or are those of the file."""
    text = "".join(json.dumps({"players": players, "after": rate(players)}) + "\n"
                   for players in games())
    if sys.argv[1:] == ["--check"]:
        file = pathlib.Path(__file__).with_name("weng_lin.jsonl")
        return 0 if file.read_text() == text else 1
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
