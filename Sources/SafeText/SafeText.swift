/// The only gate for text from outside: makes text from a server, a file or a keyboard safe to show, log or write to a
/// terminal.
///
/// Text is cleaned once on the way in (``line(_:)``, ``paragraphs(_:)``) and checked again where it leaves the program.
/// All functions are pure and may be called anywhere.
public enum SafeText {
  /// Text from bytes that claim to be UTF-8. A bad byte costs a character (U+FFFD), never the text.
  public static func repairing(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// `text` as one line, without control characters, bidirectional overrides, tag characters, lone zero-width
  /// characters or private characters of planes 15 and 16; each run of line breaks and tabs becomes one space.
  public static func line(_ text: String) -> String {
    isPlain(text, allowingNewlines: false) ? text : Cleaner(keepsNewlines: false).clean(text)
  }

  /// `text` with its line breaks (as `\n`), otherwise cleaned like ``line(_:)``.
  public static func paragraphs(_ text: String) -> String {
    isPlain(text, allowingNewlines: true) ? text : Cleaner(keepsNewlines: true).clean(text)
  }

  /// Whether every byte is printable ASCII: the common case, which needs no cleaning.
  private static func isPlain(_ text: String, allowingNewlines: Bool) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || (allowingNewlines && $0 == 0x0A) }
    }
  }
}
