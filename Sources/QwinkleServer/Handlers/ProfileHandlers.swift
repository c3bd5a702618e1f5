import HTTPTypes
import QwinkleModel
import SafeText

/// Edits of the viewer's profile.
enum ProfileHandlers {
  static let routes = [Route(.patch, "/api/v1/accounts/update_credentials", .required, update)]

  private static let mostNameCharacters = 30
  private static let mostNoteCharacters = 500
  /// Combining marks and links could hide anything behind a small character count.
  private static let mostBytesPerCharacter = 40

  /// Values that aren't sent stay. Unsupported fields are ignored, but a locked account or a picture is refused: the
  /// user would believe that it took effect.
  private static func update(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let me = try session.me()
    let sent = try RequestParameters(request)
    if sent.flag("locked") == true { throw Refusal.invalid("This server does not support locked accounts.") }
    for picture in ["avatar", "header"] where sent.fileNames.contains(picture) || !(sent[picture] ?? "").isEmpty {
      throw Refusal.invalid("This server does not support pictures.")
    }
    let name = try sent["display_name"].map { name in
      try checked(name, SafeText.line(name).count, "The display name", most: mostNameCharacters)
    }
    let note = try sent["note"].map { note in
      let count = CharacterCount.count(SafeText.paragraphs(note), limits: InstanceHandlers.limits)
      return try checked(note, count, "The note", most: mostNoteCharacters)
    }
    try session.updateAccount(me, displayName: name, note: note, isBot: sent.flag("bot"))
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
