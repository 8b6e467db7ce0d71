from google.protobuf.message import Message

class Duration(Message):
    def FromMilliseconds(self, milliseconds: int) -> None: ...
