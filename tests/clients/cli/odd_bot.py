"""A remote bot for Azul that does something wrong, as its last argument says."""

import queue
import sys
import threading
import time

import grpc

from tesela.bot.v1 import bot_pb2, bot_pb2_grpc
from tesela.game.v1 import azul_pb2, g2048_pb2

# Else gRPC takes megabytes off the stream that nobody reads; so it takes a few messages.
SMALL_WINDOW = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 4096)]
# How long a bot that counts its questions waits for another one.
PATIENCE_S = 2


def answer(question_id, move):
    """The message that answers a question with a message of a game."""
    request = bot_pb2.PlayRequest(answer=bot_pb2.Answer(question_id=question_id))
    request.answer.move.Pack(move)
    return request


def read_nothing(_messages, _send):
    """Stays, but takes no message off its stream."""
    time.sleep(3600)


def answer_wrongly(messages, send):
    """Answers each question in one of three wrong ways, and prints what it is told."""
    wrong = (lambda number: answer(number + 1000, azul_pb2.AzulMove()),
             lambda number: answer(number, g2048_pb2.Game2048Move()),
             lambda number: answer(number, azul_pb2.AzulMove(factory=200)))
    for message in messages:
        if message.HasField("question"):
            number = message.question.question_id
            send(wrong[number % len(wrong)](number))
        elif message.HasField("dismissed"):
            print(message.dismissed.message, flush=True)


def offer_again(messages, send):
    """Sends a second Offer, and prints how the stream ends."""
    try:
        for _ in messages:
            send(bot_pb2.PlayRequest(offer=bot_pb2.Offer(game="azul", name="odd")))
    except grpc.RpcError as error:
        print(error.code().name, error.details(), flush=True)


def forward(messages, arrived):
    """Puts all messages into a queue, until the stream ends."""
    try:
        for message in messages:
            arrived.put(message)
    except grpc.RpcError:
        pass


def count_questions(messages, _send):
    """Answers nothing, and leaves when no more questions come. Prints how many were open."""
    arrived = queue.SimpleQueue()
    threading.Thread(target=forward, args=(messages, arrived), daemon=True).start()
    most = 0
    try:
        while True:
            message = arrived.get(timeout=PATIENCE_S if most else None)
            most += message.HasField("question")
    except queue.Empty:
        print("open:", most, flush=True)


def main(address, what):
    """Offers the bot `odd`, and does what it is told to do."""
    sent = queue.SimpleQueue()
    sent.put(bot_pb2.PlayRequest(offer=bot_pb2.Offer(game="azul", name="odd")))
    with grpc.insecure_channel(address, SMALL_WINDOW) as channel:
        messages = bot_pb2_grpc.BotServiceStub(channel).Play(iter(sent.get, None))
        {"mute": read_nothing, "wrong": answer_wrongly, "again": offer_again,
         "count": count_questions}[what](messages, sent.put)
        messages.cancel()


if __name__ == "__main__":
    main(*sys.argv[1:])
