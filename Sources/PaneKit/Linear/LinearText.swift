/// What a view says in words, for a terminal to which text is only appended.
public struct LinearText: Hashable, Sendable {
  /// What it is, which decides when it is said.
  public enum Kind: Hashable, Sendable {
    /// Where one is and how to go on: said once, at the start, in the place of the first title.
    case greeting
    /// Where one is: said when it changes.
    case title
    /// Something to read: said when it changes.
    case text
    /// How it goes: said when it changes, but not again and again.
    case status
    /// What keys do here: said the first time.
    case hints
  }

  public var kind: Kind
  public var lines: [String]
  /// What makes it another. What changes besides is said with it, never for itself.
  public var gist: String

  /// Without a `gist` every change makes it another.
  public init(_ kind: Kind, _ lines: [String], gist: String? = nil) {
    self.kind = kind
    self.lines = lines
    self.gist = gist ?? lines.joined(separator: "\n")
  }
}
