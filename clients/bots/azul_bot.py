#!/usr/bin/env python3
"""A bot for Azul that plays from outside the server: copy it, and give it a better `value`."""

import argparse
import os
import pathlib
import queue
import sys
import time
import traceback

import grpc

sys.path.insert(0, str(pathlib.Path(__file__).parent / "gen/python"))

from tesela.bot.v1 import bot_pb2, bot_pb2_grpc  # pylint: disable=wrong-import-position
from tesela.game.v1 import azul_pb2
from tesela.lobby.v1 import lobby_pb2, lobby_pb2_grpc

FLOOR_COSTS = [1, 1, 2, 2, 2, 3, 3]


def value(move, view, seat):
    """What a move seems to be worth: a line that is filled is tiled, and the floor costs points."""
    table = view.table
    board = table.boards[seat]
    source = table.centre if move.HasField("centre") else table.factories[move.factory * 5:]
    tiles = source[move.colour - 1]
    placed = worth = 0
    if move.HasField("line"):
        size = move.line + 1
        held = board.line_counts[move.line]
        placed = min(tiles, size - held)
        worth = (held + placed) / size * 2 + (2 if held + placed == size else 0)
    spilled = tiles - placed + (1 if move.HasField("centre") and table.marker_in_centre else 0)
    return worth - sum(FLOOR_COSTS[len(board.floor):len(board.floor) + spilled])


def unpacked(packed, message):
    """The message inside an Any."""
    packed.Unpack(message)
    return message


def best_move(question):
    """The legal move of the greatest value, packed as it came; the first one if `value` fails."""
    view = unpacked(question.view, azul_pb2.AzulView())
    try:
        return max(question.legal_moves,
                   key=lambda move: value(unpacked(move, azul_pb2.AzulMove()), view, question.seat))
    except Exception:  # pylint: disable=broad-exception-caught
        traceback.print_exc()
        return question.legal_moves[0]


def sign_in(channel, name, file):
    """The token of the player whose bot this is: the one that `file` keeps, or a new guest's."""
    lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
    if file and file.exists():
        secret, token = file.read_text("ascii").split()
        request = lobby_pb2.RenewTokenRequest(device_secret=bytes.fromhex(secret))
        token = lobby.RenewToken(request, metadata=[("authorization", f"Bearer {token}")]).token
    else:
        secret = os.urandom(32).hex()
        token = lobby.SignIn(lobby_pb2.SignInRequest(
            display_name=name, device_secret=bytes.fromhex(secret))).token
    if file:
        file.touch(mode=0o600)
        file.write_text(f"{secret} {token}\n", "ascii")
    return token


def play(channel, token, name):
    """Offers the bot and answers its questions, until the stream ends."""
    to_server = queue.SimpleQueue()
    to_server.put(bot_pb2.PlayRequest(offer=bot_pb2.Offer(
        token=token, game="azul", name=name, description="Fills lines and fears the floor.")))
    try:
        for message in bot_pb2_grpc.BotServiceStub(channel).Play(iter(to_server.get, None)):
            if message.HasField("question"):
                question = message.question
                to_server.put(bot_pb2.PlayRequest(answer=bot_pb2.Answer(
                    question_id=question.question_id, move=best_move(question))))
            elif message.HasField("accepted"):
                print("plays as", message.accepted.strategy, flush=True)
            else:
                print("dismissed:", message.dismissed.message, flush=True)
    finally:
        to_server.put(None)


def main():
    """Signs in and plays, again and again, until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", nargs="?", default="localhost:9090", help="its gRPC address")
    parser.add_argument("--name", default="python", help="1 to 24 of a-z, 0-9 and -")
    parser.add_argument("--token-file", type=pathlib.Path,
                        help="keeps whose bot it is: the name is that player's alone")
    options = parser.parse_args()
    token = None
    while True:
        with grpc.insecure_channel(options.server) as channel:
            try:
                if token is None:
                    token = sign_in(channel, options.name, options.token_file)
                play(channel, token, options.name)
            except grpc.RpcError as error:
                print(error.details(), flush=True)
                # Anything else may be better in a second.
                if error.code() in (grpc.StatusCode.INVALID_ARGUMENT,
                                    grpc.StatusCode.PERMISSION_DENIED,
                                    grpc.StatusCode.UNAUTHENTICATED):
                    sys.exit(1)
        time.sleep(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
