import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// Edits of the viewer's profile.
enum ProfileHandlers {
  static let routes = [Route(.patch, "/api/v1/accounts/update_credentials", .required, update)]

  private static let mostNameCharacters = 30
  private static let mostNoteCharacters = 500
  /// Combining marks and links could hide anything behind a small character count.
  private static let mostBytesPerCharacter = 40

  private static let known: Set<String> = ["display_name", "note", "bot", "source"]
  /// What is so on this service anyway.
  private static let neutral: [String: Set<String>] = [
    "locked": FlagWords.no, "discoverable": FlagWords.yes, "indexable": FlagWords.yes, "hide_collections": FlagWords.no,
    "privacy": ["public"], "sensitive": FlagWords.no, "quote_policy": ["nobody"],
  ]

  /// Values that aren't sent stay.
  private static func update(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let me = try session.me()
    let sent = try request.parameters()
    try sent.refuseOthers(than: known, unless: neutral)
    try sent.object("source")?.refuseOthers(than: [], unless: neutral)
    let name = try sent.text("display_name").map { name in
      try checked(name, SafeText.line(name).count, "The display name", most: mostNameCharacters)
    }
    let note = try sent.text("note").map { note in
      let count = CharacterCount.count(SafeText.paragraphs(note), limits: InstanceHandlers.limits)
      return try checked(note, count, "The note", most: mostNoteCharacters)
    }
    try session.updateAccount(me, displayName: name, note: note, isBot: try sent.flag("bot"))
    return ServiceResponse(.ownQwinker(try session.qwinker(me), note: try session.note(of: me)))
  }

  private static func checked(_ text: String, _ count: Int, _ what: String, most: Int) throws(Refusal) -> String {
    guard count <= most else {
      throw Refusal.invalid("\(what) has \(count) characters; the limit is \(most).")
    }
    guard text.utf8.count <= most * mostBytesPerCharacter else {
      throw Refusal.invalid("\(what) is too long: the limit is \(most * mostBytesPerCharacter) bytes.")
    }
    // SQLite text ends at a NUL.
    return text.filter { $0 != "\0" }
  }
}
