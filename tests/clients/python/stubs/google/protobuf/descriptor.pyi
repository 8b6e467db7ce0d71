from collections.abc import Mapping

class Descriptor:
    full_name: str
    fields_by_name: Mapping[str, object]

class FileDescriptor:
    message_types_by_name: Mapping[str, Descriptor]
