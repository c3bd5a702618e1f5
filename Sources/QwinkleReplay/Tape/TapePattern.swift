/// A regular expression of a tape, `/…/`: Swift's, made while the tape is read.
public struct TapePattern: Hashable, Sendable {
  /// Longer ones, and ones that are nested deeper, are refused: the compiler of patterns calls itself for each level.
  static let greatestLength = 500
  static let greatestDepth = 30

  /// What stands between the slashes.
  public let source: String
  // A `Regex` may hold closures and so isn't Sendable. One that is made of a text holds none and is never changed.
  private nonisolated(unsafe) let regex: Regex<AnyRegexOutput>

  /// Throws what is wrong with `source`.
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

  /// Whether it matches a part of `text`. `^` and `$` are the ends of each line in it.
  public func isFound(in text: String) -> Bool {
    ((try? regex.firstMatch(in: text)) ?? nil) != nil
  }

  /// Whether it matches in the rows of a screen, over which it may reach.
  public func isFound(onScreen rows: [String]) -> Bool {
    isFound(in: rows.joined(separator: "\n"))
  }

  public static func == (one: TapePattern, other: TapePattern) -> Bool { one.source == other.source }

  public func hash(into hasher: inout Hasher) { hasher.combine(source) }

  /// How many brackets are open at most.
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

/// Why a text is no pattern.
public struct TapePatternError: Error, Hashable {
  public let reason: String
}
