/// A user-defined shell command for the selected qwink. The qwink's text is passed only on standard input, because a
/// shell could run text in a command line as code.
public struct OwnCommand: Hashable, Sendable {
  /// Content of the command's standard input.
  public enum Input: String, CaseIterable, Sendable {
    case text, json, url
    /// The URLs of the qwink's media.
    case picture
  }

  /// Handling of the command's output: show it, discard it, or begin a new qwink with it.
  public enum Output: String, CaseIterable, Sendable {
    case show, drop, entry
  }

  public let name: String
  /// The command line, for the shell.
  public let run: String
  public let input: Input
  public let output: Output

  public init(name: String, run: String, input: Input = .text, output: Output = .show) {
    self.name = name
    self.run = run
    self.input = input
    self.output = output
  }

  /// Whether the user can type `name` after a colon.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 30 && name.utf8.allSatisfy(TOMLText.isBare)
  }
}

/// An event that can start a command.
public enum HookEvent: String, CaseIterable, Sendable {
  /// The user received a direct message.
  case message
  /// The user was mentioned in a qwink that isn't a direct message.
  case mention
}
