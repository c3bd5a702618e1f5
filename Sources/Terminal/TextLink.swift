/// A link in text. Text of one link keeps its link when it is wrapped.
///
/// It is one reference, because most runs of text have no link, and a run is copied several times before it is drawn.
public struct TextLink: Hashable, Sendable {
  /// Length limit of addresses in terminals and browsers, in bytes.
  public static let maximumAddressBytes = 2083

  private final class Content: Sendable {
    let target: String
    let address: String?

    init(_ target: String, _ address: String?) {
      self.target = target
      self.address = address
    }
  }

  private let content: Content

  /// Name of the target. Only the program that draws the text interprets it.
  public var target: String { content.target }
  /// Address that the terminal may open without asking, in printable ASCII. Nil if only the program can open the link,
  /// or if the reader must see its address first.
  public var address: String? { content.address }

  public init(target: String, address: String? = nil) {
    content = Content(target, address)
  }

  public static func == (one: TextLink, other: TextLink) -> Bool {
    one.content === other.content || (one.target == other.target && one.address == other.address)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(target)
    hasher.combine(address)
  }
}
