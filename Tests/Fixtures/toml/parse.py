#!/usr/bin/env python3
"""Parses TOML 1.0 with Python's tomllib, to compare another parser with it.

Standard input has one text a line, as a JSON string. Standard output has one result a line: the values, or "invalid".
cases.txt has both: cut -f1 cases.txt | parse.py. Fails if this Python has no tomllib, or one of TOML 1.1.
"""

import datetime
import json
import math
import struct
import sys

try:
    import tomllib
except ImportError:
    sys.exit("Python 3.11 or later is needed.")


def dump(value):
    """Returns a form of a value that equals another one only if all bits do. Keys are in order of code points."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # TOML requires an error where a parser's integers can't contain a number. Python's have no limit.
        if not -(2**63) <= value < 2**63:
            raise ValueError("more than 64 bits")
        return str(value)
    if isinstance(value, float):
        return "f:" + ("nan" if math.isnan(value) else struct.pack(">d", value).hex())
    if isinstance(value, str):
        return '"' + "".join(map(character, value)) + '"'
    if isinstance(value, (datetime.datetime, datetime.time)):
        return value.isoformat(timespec="microseconds")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, list):
        return "[" + ", ".join(map(dump, value)) + "]"
    return "{" + ", ".join(f"{dump(key)}: {dump(value[key])}" for key in sorted(value)) + "}"


def character(letter):
    isPlain = " " <= letter <= "~" and letter not in '"\\'
    return letter if isPlain else f"\\u{{{ord(letter):x}}}"


def result(text):
    try:
        # tomllib leaves a byte order mark to its caller.
        return dump(tomllib.loads(text.removeprefix("\ufeff")))
    except ValueError:
        return "invalid"


if result(r'a = "\e"') != "invalid":
    sys.exit("This tomllib parses TOML 1.1.")
# All of the input is read before the first output: the caller writes before it reads.
lines = sys.stdin.buffer.read().splitlines()
sys.stdout.buffer.write("".join(result(json.loads(line)) + "\n" for line in lines).encode())
