from google.protobuf.message import Message

class Timestamp(Message):
    def ToMilliseconds(self) -> int: ...
