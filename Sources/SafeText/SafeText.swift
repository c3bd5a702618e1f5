/// Sanitizes untrusted text: makes text from a server, a file or the keyboard safe to show, log or write to a terminal.
///
/// All text is sanitized once on input (``line(_:)``, ``paragraphs(_:)``) and checked again on output. All functions
/// are pure and callable from any thread.
public enum SafeText {
  /// Decodes bytes as UTF-8. Each invalid sequence becomes U+FFFD.
  public static func repairing(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `text` as one line, without control characters, bidirectional overrides, tag characters, isolated
  /// zero-width characters or private characters of planes 15 and 16. Each run of line breaks and tabs becomes one
  /// space, or nothing next to a space and at the ends of the text.
  public static func line(_ text: String) -> String {
    isPlain(text, allowingNewlines: false) ? text : Cleaner(keepsNewlines: false).clean(text)
  }

  /// Returns a person's name as one line, sanitized like ``line(_:)``. Each run of blanks becomes one space, and blanks
  /// at the ends are removed, because they could push the handle next to the name out of its row.
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

  /// Whether a scalar has a width but no visible shape: spaces, and some letters and symbols.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x7F: scalar == " "
    // Hangul fillers, the empty Braille pattern and the null notehead.
    case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x1D159: true
    default: scalar.properties.isWhitespace
    }
  }

  /// Whether a scalar has neither a visible shape nor a width, for example the combining grapheme joiner. Between two
  /// blanks, it would end their run.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x7F && scalar.properties.isDefaultIgnorableCodePoint
  }

  /// Returns `text` with its line breaks (as `\n`) and a space in place of each tab, otherwise sanitized like
  /// ``line(_:)``.
  public static func paragraphs(_ text: String) -> String {
    isPlain(text, allowingNewlines: true) ? text : Cleaner(keepsNewlines: true).clean(text)
  }

  /// Whether every byte is printable ASCII, or a newline if `allowingNewlines` is true. Most text is, and needs no
  /// sanitizing.
  private static func isPlain(_ text: String, allowingNewlines: Bool) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || (allowingNewlines && $0 == 0x0A) }
    }
  }
}
