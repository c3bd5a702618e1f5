"""Checks of a session and their results."""

import time

# Time limit of a wait in seconds.
PATIENCE = 30


class Checks:
    """Counts passed checks and prints failed ones. `client` is the name of the tested client."""

    def __init__(self, client):
        self.client = client
        self.passed = 0
        self.failed = []

    def take(self, steps):
        for step in steps:
            print(f"{self.client}: {step.__name__.replace('_', ' ')}", flush=True)
            step()

    def check(self, what, is_so, found=""):
        if is_so:
            self.passed += 1
            return
        self.failed.append(what)
        print(f"{self.client}: FAILED: {what}\n    {str(found).strip() or 'It is not so.'}", flush=True)

    def wait(self, what, is_so, found=lambda: ""):
        """Waits until `is_so` returns true. At the time limit, `what` fails with the result of `found`."""
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > deadline:
                return self.check(what, False, f"It is not so after {PATIENCE} s. {found()}")
            time.sleep(0.05)

    def end(self, more=""):
        """Prints the totals and returns the exit status."""
        print(f"{self.client}: {self.passed} checks passed, {len(self.failed)} failed{more}.")
        return 1 if self.failed or not self.passed else 0
