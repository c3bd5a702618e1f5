/// A shell command of the user's own, for the selected qwink. What it is about reaches it by standard input alone.
public struct OwnCommand: Hashable, Sendable {
  /// What it reads.
  public enum Input: String, CaseIterable, Sendable {
    case text, json, url
    /// The addresses of its media.
    case picture
  }

  /// What becomes of what it prints.
  public enum Output: String, CaseIterable, Sendable {
    case show, drop, entry
  }

  public let name: String
  /// The shell's command line.
  public let run: String
  public let input: Input
  public let output: Output

  public init(name: String, run: String, input: Input = .text, output: Output = .show) {
    self.name = name
    self.run = run
    self.input = input
    self.output = output
  }

  /// Whether `name` can be typed after a colon.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 30 && name.utf8.allSatisfy(TOMLText.isBare)
  }
}

/// What can start a command by itself.
public enum HookEvent: String, CaseIterable, Sendable {
  /// A direct message came.
  case message
  /// Somebody mentioned you.
  case mention
}
