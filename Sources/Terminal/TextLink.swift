/// A link in text. Text of one link keeps its link when it is wrapped.
public struct TextLink: Hashable, Sendable {
  /// Length limit of addresses in terminals and browsers, in bytes.
  public static let maximumAddressBytes = 2083

  /// Name of the target. Only the program that draws the text interprets it.
  public let target: String
  /// Address that the terminal may open without asking, in printable ASCII. Nil if only the program can open the link,
  /// or if the reader must see its address first.
  public let address: String?

  public init(target: String, address: String? = nil) {
    self.target = target
    self.address = address
  }
}
