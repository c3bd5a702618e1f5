"""A program in a terminal."""

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
# Makes the program repeat the position and the selected item.
SAY_AGAIN = "\x0c"


class Terminal:
    """A program in a terminal that only records its output."""

    def __init__(self, command, environment, folder):
        self.text = ""
        self.is_over = False
        # Offset of the output after the last keys.
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
        """Types `keys` and waits until the output after them contains `words` in this order, ignoring line breaks.
        Without keys, waits for the output after the last ones. `again`: types the keys once a second and makes the
        program repeat its position, as it does not report changes of a list. Returns None, or the
        output if `words` are missing.
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
        """Whether the output after the last keys contains `words` in this order."""
        rest = " ".join(self.text[self.answer:].split())
        for word in words:
            _, found, rest = rest.partition(word)
            if not found:
                return False
        return True

    def end(self):
        """Waits for the program's end. Returns its exit status, or None after killing it at the time limit."""
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
