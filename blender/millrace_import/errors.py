"""The one error that all readers raise."""


class FileError(Exception):
    """A file of a run cannot be used; the text is one line that starts with its path."""

    def __init__(self, path, what):
        super().__init__(f"{path}: {what}")
