"""Unix users of a test: uids with names that only this process sees, programs that run as them, and requests to a socket as them."""

import ctypes
import http.client
import json
import os
import shutil
import socket
import subprocess
import traceback
import urllib.parse

from checks import PATIENCE

SYSTEM_FOLDERS = ("/lib", "/usr/lib", "/lib64", "/usr/lib64")


def prepared_program(program, folder):
    """Copies the program and the libraries that other users can't read, and returns its path and its variables."""
    folder.mkdir(mode=0o755)
    copy = folder / "qwinkle"
    shutil.copy(program, copy)
    copy.chmod(0o755)
    listed = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=False).stdout
    for line in listed.splitlines():
        path = line.partition("=> ")[2].split(" ")[0]
        if path and os.path.exists(path) and not os.path.realpath(path).startswith(SYSTEM_FOLDERS):
            library = folder / os.path.basename(path)
            shutil.copy(path, library)
            library.chmod(0o755)
    return copy, {"LD_LIBRARY_PATH": str(folder), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


def add_names(users, folder):
    """Adds users to /etc/passwd for this process and its children, as the server refuses uids without a name. Returns
    whether the system allows that."""
    new_mounts = 0x20000  # CLONE_NEWNS
    if ctypes.CDLL(None, use_errno=True).unshare(new_mounts) != 0:
        return False
    lines = [f"{user.name}:x:{user.uid}:{user.uid}::{user.home}:/bin/sh\n" for user in users]
    names = folder / "passwd"
    names.write_text(open("/etc/passwd").read() + "".join(lines))
    names.chmod(0o644)
    commands = [["mount", "--make-rprivate", "/"], ["mount", "--bind", names, "/etc/passwd"]]
    return all(subprocess.run(command, check=False).returncode == 0 for command in commands)


class UnixUser:
    """A Unix user with a home folder that other users can enter. Only root can use one."""

    def __init__(self, uid, home):
        self.uid = uid
        self.home = home
        self.name = f"user{uid}"
        home.mkdir()
        home.chmod(0o755)
        os.chown(home, uid, uid)

    def start(self, command, environment, **options):
        """Starts a command as this user."""
        return subprocess.Popen(
            command, env={**environment, "HOME": str(self.home)}, cwd=self.home, user=self.uid, group=self.uid,
            extra_groups=[], umask=0o022, **options)

    def run(self, command, environment, text=""):
        """Runs a command as this user, with `text` as its input, and returns its status, output and errors."""
        process = self.start(
            command, environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            output, errors = process.communicate(text, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            errors += f"It does not end within {PATIENCE} s."
        return process.returncode, output, errors

    def call(self, function, *arguments):
        """Returns the result of a function, as JSON, that runs in a child process of this user."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(reading)
                os.setgroups([])
                os.setresgid(self.uid, self.uid, self.uid)
                os.setresuid(self.uid, self.uid, self.uid)
                with os.fdopen(writing, "w") as results:
                    json.dump(function(*arguments), results)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                # Nothing of the parent's cleanup may run here.
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading) as results:
            text = results.read()
        os.waitpid(child, 0)
        return json.loads(text) if text else None

    def ask(self, path, method, target, form=None, fields=None):
        """Returns the status and the text of a response on a socket, as this user."""
        return self.call(ask, path, method, target, form, fields or {})


def ask(path, method, target, form, fields):
    """Sends a request over a Unix socket and returns the status and the text of its response."""
    body = urllib.parse.urlencode(form or {}, doseq=True).encode()
    lines = [f"{method} {target} HTTP/1.1", "Host: shared", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in fields.items()]
    if body:
        lines.append("Content-Type: application/x-www-form-urlencoded")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        response = http.client.HTTPResponse(connection, method=method)
        response.begin()
        return [response.status, response.read().decode(errors="replace")]


def can_connect(path):
    """Whether a process accepts connections on a socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def opened(paths):
    """Returns those of the paths that the current user can read or write: files, folders and links of /proc."""
    found = []
    for path in paths:
        attempts = [lambda: os.listdir(path), lambda: os.readlink(path)]
        attempts += [lambda mode=mode: os.close(os.open(path, mode)) for mode in (os.O_RDONLY, os.O_WRONLY)]
        for attempt in attempts:
            try:
                attempt()
            except OSError:
                continue
            found.append(str(path))
            break
    return found


def readable_text(folder, word):
    """Returns the files below a folder that contain a word and that the current user can read."""
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            try:
                with open(path, "rb") as file:
                    if word.encode() in file.read():
                        found.append(path)
            except OSError:
                pass
    return found


def write_attempts(path):
    """Returns which attempts to replace a socket succeed."""
    found = []
    for name, attempt in {
        "remove": lambda: os.unlink(path), "rename": lambda: os.rename(path, f"{path}.old"),
        "make a file next to it": lambda: os.close(os.open(f"{path}.new", os.O_CREAT | os.O_WRONLY)),
        "change its mode": lambda: os.chmod(path, 0o600),
    }.items():
        try:
            attempt()
        except OSError:
            continue
        found.append(name)
    return found
