"""Tests all operations that both the program and the service support: types keys in a terminal in linear mode, then
checks the server's state."""

from screen_messages import Messages
from screen_people import People
from screen_reading import Reading
from screen_records import Records
from screen_writing import Writing
from service import Service


class ScreenSession(Reading, Writing, Messages, People, Records):
    """anna uses the screen, ben and cora the API. Each base class has the steps of one area."""

    def run(self):
        with Service(self.program, self.folder, "--unlimited", "--access-log", self.requests) as self.service:
            self.prepare()
            self.take(self.reading + self.writing + self.messages + self.people + self.records + [self.leave])
            self.terminal.kill()
        return self.end(f"; {len(self.operations)} operations used")

    def leave(self):
        self.shows("it asks", "q", "Quit Qwinkle?")
        self.type("y")
        status = self.terminal.end()
        self.check("it ends with 0", status == 0, f"{status}: {self.terminal.text[-500:]}")
        complaints = self.service.complaints()
        self.check("the service complains of nothing", not complaints, complaints)
