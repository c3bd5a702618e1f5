import Foundation
import TerminalTesting
import Testing

/// The data files of the Unicode consortium, from Debian's package unicode-data.
enum UnicodeData {
  private static let folder = "/usr/share/unicode"

  static var isThere: Bool { FileManager.default.fileExists(atPath: "\(folder)/emoji/emoji-test.txt") }

  /// Returns the sequences of `emoji-test.txt`: all emoji that keyboards offer, and their unqualified forms.
  static func emoji() throws -> [String] {
    try lines(of: "emoji/emoji-test.txt").compactMap { line in
      let fields = line.split(separator: ";")
      return fields.count == 2 ? text(ofNumbers: fields[0].split(separator: " ")) : nil
    }
  }

  /// Returns the texts of `GraphemeBreakTest.txt`, each with one or more clusters.
  static func graphemeBreaks() throws -> [String] {
    try lines(of: "auxiliary/GraphemeBreakTest.txt").compactMap { line in
      text(ofNumbers: line.split(separator: " ").filter { $0 != "÷" && $0 != "×" })
    }
  }

  /// Returns all assigned and private-use scalars.
  static func assignedScalars() -> [Unicode.Scalar] {
    (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter { $0.properties.generalCategory != .unassigned }
  }

  /// Returns the lines of a file without comments.
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

  /// Skips the test if tmux is not installed. In CI the test runs anyway, and fails.
  static var needsTmux: Self {
    .enabled(if: TmuxHarness.executable != nil || isComplete, "tmux is missing: make deps-test installs it")
  }

  /// Skips the test if Unicode's files are not installed. In CI the test runs anyway, and fails.
  static var needsUnicodeData: Self {
    .enabled(if: UnicodeData.isThere || isComplete, "Unicode's files are missing: make deps-test installs unicode-data")
  }
}
