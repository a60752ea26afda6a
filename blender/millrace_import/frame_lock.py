"""Shares the frames of a film among several renderers, on one machine or on many.

A renderer takes frame 12 by making `.frame_000012.lock` in the folder of the pictures, which only
one can. It draws into `.frame_000012.HOST.PID.png`, renames that and removes the lock. A lock is
stale when its process on this machine is gone, or after an hour.
"""

import os
import socket
import time

STALE_SECONDS = 3600


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # there, but somebody else's
        pass
    return True


class FrameLock:
    def __init__(self, folder, number):
        self.picture = os.path.join(folder, f"frame_{number:06d}.png")
        self.path = os.path.join(folder, f".frame_{number:06d}.lock")
        self.host = "".join(c if c.isalnum() else "_" for c in socket.gethostname()) or "host"
        self.temporary = self._temporary(self.host, os.getpid())

    def _temporary(self, host, pid):
        return f"{self.path[: -len('.lock')]}.{host}.{pid}.png"

    def _owner(self):
        """(host, pid) in the file, or None."""
        try:
            with open(self.path, encoding="utf-8") as file:
                host, pid = file.read().split()
            return host, int(pid)
        except (OSError, ValueError):
            return None

    def _is_stale(self):
        try:
            age = time.time() - os.stat(self.path).st_mtime
        except OSError:
            return False
        owner = self._owner()
        gone = os.name == "posix" and owner and owner[0] == self.host and not _is_alive(owner[1])
        return bool(gone) or age > STALE_SECONDS

    def _remove_stale(self):
        """Moves it away first: of two that try, one succeeds."""
        owner = self._owner()
        grave = f"{self.path}.{self.host}.{os.getpid()}"
        try:
            os.rename(self.path, grave)
        except OSError:
            return
        for path in [grave] + ([self._temporary(*owner)] if owner else []):
            if os.path.exists(path):
                os.remove(path)

    def take(self):
        """True: this process is to draw the frame. Raises OSError where the folder is no good."""
        if os.path.exists(self.path) and self._is_stale():
            self._remove_stale()
        try:
            handle = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except FileExistsError:
            return False
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{self.host} {os.getpid()}\n")
        if os.path.exists(self.picture):  # another one has just finished it
            self.release()
            return False
        return True

    def publish(self):
        """The drawn picture gets its name."""
        os.replace(self.temporary, self.picture)

    def release(self):
        for path in (self.temporary, self.path):
            if os.path.exists(path):
                os.remove(path)
