import Foundation
import QwinkleModel
import Terminal

/// Turns printed URLs into links (OSC 8) if standard output is a terminal that supports them. A link opens only the URL
/// that it shows.
enum TerminalHyperlinks {
  /// Whether to print links. Always false for pipes and files.
  static let areWanted = isatty(STDOUT_FILENO) == 1 && areKnown(to: ProcessInfo.processInfo.environment["TERM"])

  /// Whether a terminal of this type supports OSC 8, or at least hides unknown sequences.
  static func areKnown(to terminal: String?) -> Bool {
    guard let terminal, !terminal.isEmpty else { return false }
    let others = ["dumb", "unknown", "linux", "vt1", "vt2", "vt3", "vt4", "vt5", "cons", "ansi", "sun"]
    return !others.contains { terminal.hasPrefix($0) }
  }

  /// Returns `text` with its URLs turned into links. `text` is already sanitized.
  static func added(to text: String) -> String {
    guard text.contains("://") else { return text }
    var result = ""
    var rest = text[...]
    while let address = firstAddress(in: rest) {
      result += rest[..<address.range.lowerBound]
      result += "\u{1B}]8;;\(address.target)\u{1B}\\\(rest[address.range])\u{1B}]8;;\u{1B}\\"
      rest = rest[address.range.upperBound...]
    }
    return result + rest
  }

  /// The first URL in `text` that can become a link, and the link's target.
  private static func firstAddress(in text: Substring) -> (range: Range<Substring.Index>, target: String)? {
    var start = text.startIndex
    while let slashes = text[start...].utf8.firstRange(of: "://".utf8) {
      let scalars = text.unicodeScalars
      let end = scalars[slashes.upperBound...].firstIndex(where: \.properties.isWhitespace) ?? text.endIndex
      start = slashes.upperBound
      let before = text[..<slashes.lowerBound]
      for scheme in ["https", "http"] where before.hasSuffix(scheme) {
        let first = text.utf8.index(slashes.lowerBound, offsetBy: -scheme.utf8.count)
        let range = first..<trimmedEnd(of: scalars[slashes.upperBound..<end])
        if let target = target(of: text[range]) { return (range, target) }
      }
    }
    return nil
  }

  /// The end of the URL in `tail`. Excludes punctuation of the surrounding sentence, such as a full stop or the closing
  /// bracket around the URL.
  private static func trimmedEnd(of tail: Substring.UnicodeScalarView) -> Substring.Index {
    var tail = tail
    while let last = tail.last {
      guard ".,;:!?'\"»”’>".unicodeScalars.contains(last) || isUnopened(last, in: tail) else { break }
      tail.removeLast()
    }
    return tail.endIndex
  }

  /// Whether `last` closes a bracket that was opened before `text`.
  private static func isUnopened(_ last: Unicode.Scalar, in text: Substring.UnicodeScalarView) -> Bool {
    let pairs: [Unicode.Scalar: Unicode.Scalar] = [")": "(", "]": "["]
    guard let opening = pairs[last] else { return false }
    return text.count { $0 == last } > text.count { $0 == opening }
  }

  /// The target of a link with the text `shown`. Nil if `shown` is truncated or could mislead the reader about the
  /// target.
  private static func target(of shown: Substring) -> String? {
    guard !shown.contains("…"), !shown.utf8.contains(UInt8(ascii: "\\")), let address = WebAddress(String(shown)),
      !address.namesUser
    else { return nil }
    let target = address.target
    return target.utf8.count <= TextLink.maximumAddressBytes ? target : nil
  }
}
