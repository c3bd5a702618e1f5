import Foundation
import TerminalTesting
import Testing

/// The files of the Unicode consortium, as Debian's package unicode-data has them.
enum UnicodeData {
  private static let folder = "/usr/share/unicode"

  static var isThere: Bool { FileManager.default.fileExists(atPath: "\(folder)/emoji/emoji-test.txt") }

  /// The sequences of `emoji-test.txt`: all emoji that keyboards give, also in their incomplete forms.
  static func emoji() throws -> [String] {
    try lines(of: "emoji/emoji-test.txt").compactMap { line in
      let fields = line.split(separator: ";")
      return fields.count == 2 ? text(ofNumbers: fields[0].split(separator: " ")) : nil
    }
  }

  /// The texts of `GraphemeBreakTest.txt`, each with all its clusters.
  static func graphemeBreaks() throws -> [String] {
    try lines(of: "auxiliary/GraphemeBreakTest.txt").compactMap { line in
      text(ofNumbers: line.split(separator: " ").filter { $0 != "÷" && $0 != "×" })
    }
  }

  /// Every scalar that has a meaning, or is free for private use.
  static func assignedScalars() -> [Unicode.Scalar] {
    (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter { $0.properties.generalCategory != .unassigned }
  }

  /// The lines of a file, without what they say for people.
  private static func lines(of file: String) throws -> [Substring] {
    try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n")
      .map { $0.prefix { $0 != "#" } }
      .filter { $0.contains { !$0.isWhitespace } }
  }

  private static func text(ofNumbers numbers: [Substring]) -> String? {
    let scalars = numbers.compactMap { number in
      UInt32(number.filter { !$0.isWhitespace }, radix: 16).flatMap(Unicode.Scalar.init)
    }
    return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
  }
}

extension Trait where Self == ConditionTrait {
  private static var isComplete: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }

  /// Where tmux is missing, a test that asks it is skipped and said to be; but it fails where everything must be there.
  static var needsTmux: Self {
    .enabled(if: TmuxHarness.executable != nil || isComplete, "tmux is missing: make deps-test installs it")
  }

  /// Where Unicode's files are missing, a test with them is skipped and said to be; but it fails where everything must
  /// be there.
  static var needsUnicodeData: Self {
    .enabled(if: UnicodeData.isThere || isComplete, "Unicode's files are missing: make deps-test installs unicode-data")
  }
}
