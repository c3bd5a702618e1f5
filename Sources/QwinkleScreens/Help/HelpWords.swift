import PaneKit

/// Texts of the help other than the keymap's.
enum HelpWords {
  static let title = "Keys"
  static let commands = "Commands"
  static let signs = "Symbols"
  static let back = " back"
  static let find = " find"
  static let scroll = " scroll"
  static let always = "Always"

  /// Symbols in the header, and the bar at the side of the selected row.
  static let headerSigns: [(sign: String, meaning: String)] = [
    ("▌", "the selected row"), ("•3", "3 new or unread items"), ("● 12:30", "online; last fetched at 12:30"),
    ("○", "offline; cached posts are still shown"),
    ("⇡ 3", "outbox with 3 items; \(Action.showOutbox.key) lists them"),
  ]

  /// The keymap's contexts with their headings, in reading order. The last part, ``always``, isn't included.
  static let groups: [(KeyContext, String)] = [
    (.global, "Everywhere (except while typing)"), (.list, "In a list"), (.qwink, "On a post"),
    (.thread, "In a thread"), (.catchUp, "Catching up"), (.tag, "On a hashtag's page"),
    (.notifications, "In the notifications"),
    (.notificationRequests, "In the filtered notifications"),
    (.picture, "Viewing pictures"), (.resources, "Cached pictures"), (.reading, "Reading"), (.entry, "Writing"),
    (.form, "In a form"), (.records, "In your lists, filters, hashtags"),
    (.search, "In a search"),
    (.outbox, "In the outbox"), (.finding, "Typing a search"), (.chatMessages, "In a chat"),
    (.chat, "Writing in a chat"), (.links, "Choosing a link"), (.accounts, "Choosing an account"),
    (.signIn, "Signing in"), (.prompt, "Command line"),
  ]

  static func place(_ rows: Range<Int>, of count: Int) -> String {
    "\(rows.lowerBound + 1)–\(rows.upperBound) of \(count)"
  }
}
