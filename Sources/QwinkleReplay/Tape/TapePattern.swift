/// A regular expression in a tape, `/…/`, in Swift's syntax. It is compiled when the tape is parsed.
public struct TapePattern: Hashable, Sendable {
  /// Maximum length, in scalars. Longer patterns, and patterns nested deeper than `greatestDepth`, are rejected because
  /// the regex compiler recurses for each level.
  static let greatestLength = 500
  static let greatestDepth = 30

  /// The text between the slashes.
  public let source: String
  // `Regex` isn't Sendable because it may contain closures. A regex made from text contains none and never changes.
  private nonisolated(unsafe) let regex: Regex<AnyRegexOutput>

  /// Throws if `source` is not a valid pattern.
  public init(_ source: String) throws(TapePatternError) {
    guard source.unicodeScalars.count <= Self.greatestLength else {
      throw TapePatternError(reason: "it is longer than \(Self.greatestLength) characters")
    }
    guard Self.depth(of: source) <= Self.greatestDepth else {
      throw TapePatternError(reason: "it is nested more than \(Self.greatestDepth) deep")
    }
    do {
      regex = try Regex(source).anchorsMatchLineEndings()
    } catch {
      throw TapePatternError(reason: "\(error)")
    }
    self.source = source
  }

  /// Whether the pattern matches a part of `text`. `^` and `$` match at the start and end of every line.
  public func isFound(in text: String) -> Bool {
    ((try? regex.firstMatch(in: text)) ?? nil) != nil
  }

  /// Whether the pattern matches on a screen, possibly across rows.
  public func isFound(onScreen rows: [String]) -> Bool {
    isFound(in: rows.joined(separator: "\n"))
  }

  public static func == (one: TapePattern, other: TapePattern) -> Bool { one.source == other.source }

  public func hash(into hasher: inout Hasher) { hasher.combine(source) }

  /// Returns the maximum number of brackets open at once.
  private static func depth(of source: String) -> Int {
    var open = 0
    var deepest = 0
    var isEscaped = false
    for scalar in source.unicodeScalars {
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "(" || scalar == "[" {
        open += 1
        deepest = max(deepest, open)
      } else if scalar == ")" || scalar == "]" {
        open = max(0, open - 1)
      }
    }
    return deepest
  }
}

/// An error in a pattern.
public struct TapePatternError: Error, Hashable {
  public let reason: String
}
