/// Texts for the list of links, and for opening and copying them.
public enum LinkWords {
  static let title = "Links"
  static let open = "open"
  /// Shown before the text of a link if the text names a different host than the link's target.
  static let misnamed = "⚠ shown as "
  static let quotedQwink = "the quoted post"
  static let qwinkPage = "this post on the web"
  static let profilePage = "profile on the web"
  static let newAccount = "the new account"
  static let none = "No links"
  static let qwinkWithoutAddress = "This post has no web address: it is on this computer only."
  static let profileWithoutAddress = "This profile has no web address: it is on this computer only."
  static let badHost = "Link not opened: its address is invalid."
  static let otherScheme = "Link not opened: Qwinkle opens http and https only."

  /// Shown for hidden links. `key` reveals the qwink.
  static func covered(_ key: String?) -> String { "Links are hidden" + (key.map { " · \($0) shows them" } ?? "") }

  static func openingInBrowser(_ address: String) -> String { "Opening \(address) in the browser" }

  static func opening(_ address: String) -> String { "Opening \(address)…" }

  /// Shown if a video or sound isn't passed to the player.
  public static let notPlayed = "Not played: its address needs https and a public host."

  static func playing(_ address: String) -> String { "Playing \(address)" }

  /// Returns the reason a link was not opened, with the link.
  static func notOpened(_ reason: String, link: String) -> String { "\(reason) Link: \(link)" }
}
