"""A terminal with a program in it."""

import fcntl
import os
import pty
import signal
import struct
import termios
import threading
import time

from checks import PATIENCE

ROWS, COLUMNS = 50, 200
ENTER, ESCAPE, TAB, ERASE_LINE, SAVE, CHOOSE, AUDIENCE = "\r", "\x1b", "\t", "\x15", "\x04", "\x18", "\x14"
# The program says the place and the selected item once more.
SAY_AGAIN = "\x0c"


class Terminal:
    """A program in a terminal that only collects what it writes."""

    def __init__(self, command, environment, folder):
        self.text = ""
        self.is_over = False
        # Where in the text what came after the last keys begins.
        self.answer = 0
        self.changed = threading.Condition()
        self.process_id, self.side = pty.fork()
        if self.process_id == 0:
            os.chdir(folder)
            os.execve(command[0], command, environment)
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                written = os.read(self.side, 65536)
            except OSError:
                return
            if not written:
                return
            with self.changed:
                self.text += written.decode(errors="replace")
                self.changed.notify()

    def type(self, keys, *words, again=False, patience=PATIENCE):
        """Types `keys`, and waits until `words` come after them, in this order, wherever lines end. Without keys, until
        they come after the last ones. `again`: types them once a second, and has the program say all that is there, as
        it does not say by itself what changes in a list. Returns what came instead, None if they did.
        """
        with self.changed:
            self.answer = len(self.text) if keys else self.answer
        for _ in range(patience if again else 1):
            os.write(self.side, (keys + SAY_AGAIN if again else keys).encode())
            with self.changed:
                if self.changed.wait_for(lambda: self.answers(words), 1 if again else patience):
                    return None
        return self.text[self.answer:]

    def answers(self, words):
        """Whether `words` came after the last keys."""
        rest = " ".join(self.text[self.answer:].split())
        for word in words:
            _, found, rest = rest.partition(word)
            if not found:
                return False
        return True

    def end(self):
        """Its exit status; None if it does not end."""
        since = time.monotonic()
        while time.monotonic() - since < PATIENCE:
            done, status = os.waitpid(self.process_id, os.WNOHANG)
            if done:
                self.is_over = True
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        self.kill()
        return None

    def kill(self):
        if self.is_over:
            return
        self.is_over = True
        os.kill(self.process_id, signal.SIGKILL)
        os.waitpid(self.process_id, 0)
