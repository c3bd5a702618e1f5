/// A view's text for a terminal that only appends text.
public struct LinearText: Hashable, Sendable {
  /// The kind of text, which determines when it is announced.
  public enum Kind: Hashable, Sendable {
    /// The program, the screen and basic keys. Announced once at launch, instead of the first title.
    case greeting
    /// The screen's name. Announced when it changes.
    case title
    /// Content. Announced when it changes.
    case text
    /// A status. Announced when it changes, and again after all sheets have closed.
    case status
    /// Key hints. Announced the first time, or every time if a sheet waits for a key.
    case hints
  }

  public var kind: Kind
  public var lines: [String]
  /// The part of the text whose changes are announced. When it changes, all of the text is announced. Changes in the
  /// rest of the text aren't announced by themselves.
  public var gist: String

  /// - Parameter gist: The part of the text whose changes are announced. If nil, all of the text.
  public init(_ kind: Kind, _ lines: [String], gist: String? = nil) {
    self.kind = kind
    self.lines = lines
    self.gist = gist ?? lines.joined(separator: "\n")
  }
}
