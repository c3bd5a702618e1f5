"""Generates pictures to upload."""

import struct
import zlib


def png(width=8, height=6, color=(200, 40, 40)):
    """Returns a PNG of one colour with metadata that the server must remove."""

    def chunk(name, content):
        body = name + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    rows = (b"\0" + bytes(color) * width) * height
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"tEXt", b"Author\0secret author") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )
