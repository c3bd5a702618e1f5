/// The words of the list of links, and of opening and copying them.
enum LinkWords {
  static let title = "Links"
  static let open = "open"
  /// Stands before a link's text that names another host than the link leads to.
  static let misnamed = "⚠ shown as "
  static let quotedQwink = "the quoted qwink"
  static let qwinkPage = "this qwink on the web"
  static let profilePage = "profile on the web"
  static let none = "No links"
  static let qwinkWithoutAddress = "This qwink has no web address: it is on this computer only."
  static let profileWithoutAddress = "This profile has no web address: it is on this computer only."
  static let badHost = "Link not opened: its host can't be read."
  static let otherScheme = "Link not opened: Qwinkle opens http and https only."

  /// `key` reveals the qwink.
  static func covered(_ key: String?) -> String { "Links are covered" + (key.map { " · \($0) shows them" } ?? "") }

  static func openingInBrowser(_ address: String) -> String { "Opening \(address) in the browser" }

  static func opening(_ address: String) -> String { "Opening \(address)…" }

  /// Why a link was not opened, and the link.
  static func notOpened(_ reason: String, link: String) -> String { "\(reason) Link: \(link)" }
}
