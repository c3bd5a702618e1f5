import GRDB

/// What a new file begins with: a greeting, and the owner, who follows it.
struct FirstStart {
  private static let greeter = "qwinkle"

  let session: Session
  /// The owner's name; nil where there is none.
  let owner: String?

  /// Whether anything is missing.
  var isNeeded: Bool {
    get throws {
      if let owner { return try session.accountID(named: owner) == nil }
      return try isEmpty
    }
  }

  /// Writes the greeting into an empty file, and the owner where they are missing.
  func perform(welcome: String) throws {
    if try isEmpty { try greet(Self.qwinks(in: welcome)) }
    guard let owner, try session.accountID(named: owner) == nil else { return }
    let id = try session.addAccount(name: owner, displayName: owner)
    if let greeter = try session.accountID(named: Self.greeter) { try session.follow(greeter, by: id) }
  }

  /// The parts between lines that are `---`, without the blank ones.
  static func qwinks(in welcome: String) -> [String] {
    welcome.split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "---", omittingEmptySubsequences: true)
      .map { $0.joined(separator: "\n") }
      .map { text in String(text.drop(while: \.isNewline).reversed().drop(while: \.isWhitespace).reversed()) }
      .filter { !isBlank($0) }
  }

  private var isEmpty: Bool {
    get throws { try session.row("SELECT 1 FROM accounts LIMIT 1") == nil }
  }

  private func greet(_ texts: [String]) throws {
    guard !texts.isEmpty else { return }
    let greeter = try session.addAccount(name: Self.greeter, displayName: "Qwinkle", isBot: true)
    for text in texts { _ = try session.addStatus(NewStatus(account: greeter, source: text)) }
  }
}
