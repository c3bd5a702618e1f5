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

  /// A person's name as one line, cleaned like ``line(_:)``. Each run of blanks becomes one space, and blanks at the
  /// ends are removed: they could push the handle next to a name out of its row.
  public static func name(_ text: String) -> String {
    var name = String.UnicodeScalarView()
    var isAfterBlank = true
    for scalar in line(text).unicodeScalars {
      if isBlank(scalar) || isAfterBlank && isInvisible(scalar) {
        isAfterBlank = true
        continue
      }
      if isAfterBlank, !name.isEmpty { name.append(" ") }
      isAfterBlank = false
      name.append(scalar)
    }
    return String(name)
  }

  /// Whether a scalar has a width but shows nothing: spaces, and letters and symbols without ink.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x7F: scalar == " "
    // Hangul fillers, the empty Braille pattern and the null notehead.
    case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x1D159: true
    default: scalar.properties.isWhitespace
    }
  }

  /// Whether a scalar shows nothing and has no width, such as the combining grapheme joiner. Between two blanks it
  /// would end their run.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x7F && scalar.properties.isDefaultIgnorableCodePoint
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
