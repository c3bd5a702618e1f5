import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// Edits of the viewer's profile.
enum ProfileHandlers {
  static let routes =
    [Route(.patch, "/api/v1/accounts/update_credentials", outsideFor: .required, update)]
    + ProfilePicture.allCases.map { picture in
      Route(.delete, "/api/v1/profile/\(picture.rawValue)", .required) { _, transaction in
        let me = try transaction.me()
        try transaction.setPicture(picture, of: me, to: nil)
        return try own(me, transaction)
      }
    }

  private static let limits = InstanceHandlers.limits.profile
  /// Byte limit per allowed character. Combining marks and links add many bytes but few characters.
  private static let mostBytesPerCharacter = 40

  private static let known: Set<String> = [
    "display_name", "note", "bot", "locked", "discoverable", "indexable", "hide_collections", "fields_attributes",
    "source", "avatar", "header",
  ]
  private static let knownOfSource: Set<String> = ["privacy", "sensitive", "language", "quote_policy"]

  /// Updates the viewer's profile. Values that the client doesn't send remain unchanged.
  private static func update(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    let me = try request.me()
    let sent = try request.parameters().refuseOthers(than: known)
    var change = ProfileChange(isBot: try sent.flag("bot"), isLocked: try sent.flag("locked"))
    change.isDiscoverable = try sent.flag("discoverable")
    change.isIndexable = try sent.flag("indexable")
    change.hidesFollows = try sent.flag("hide_collections")
    change.displayName = try sent.text("display_name").map { name in
      try checked(name, SafeText.line(name).count, "The display name", most: limits.name)
    }
    change.note = try sent.text("note").map { note in
      let count = CharacterCount.count(SafeText.paragraphs(note), limits: InstanceHandlers.limits)
      return try checked(note, count, "The note", most: limits.note)
    }
    change.fields = try fields(in: sent)
    if let source = try sent.object("source")?.refuseOthers(than: knownOfSource) {
      change.visibility = try source.choice("privacy")
      if change.visibility == .direct { throw Refusal.invalid("source[privacy] must be public, unlisted or private.") }
      change.isSensitive = try source.flag("sensitive")
      change.quotePolicy = try source.choice("quote_policy")
      change.language = try source.text("language")
      if let language = change.language, !language.isEmpty, !LanguageCode.isCode(language) {
        throw Refusal.invalid("source[language] must be a code such as en or pt-BR.")
      }
    }
    var pictures: [ProfilePicture: StoredPicture] = [:]
    for picture in ProfilePicture.allCases {
      guard let file = try sent.file(picture.rawValue) else { continue }
      if request.client != .process { _ = try service.budget.count(.media, of: .account(me)) }
      pictures[picture] = try await service.store(file.body, for: request, replacing: picture)
    }
    return try await service.add(Array(pictures.values), for: request) { [change, pictures] transaction in
      let transaction = transaction.viewed(by: me)
      for (picture, stored) in pictures { try transaction.setPicture(picture, of: me, to: stored) }
      try transaction.updateAccount(me, change)
      return try own(me, transaction)
    }
  }

  static func own(_ me: Int64, _ transaction: Transaction) throws -> ServiceResponse {
    let (qwinker, source) = (try transaction.qwinker(me), try transaction.source(ofAccount: me))
    return ServiceResponse(.json { WireEncoder.qwinker(qwinker, source: source) })
  }

  /// Returns the profile's new fields, omitting empty ones. Returns nil if the request doesn't change the fields.
  private static func fields(in sent: RequestParameters) throws -> [AccountSource.Field]? {
    guard let objects = try sent.objects("fields_attributes") else { return nil }
    let fields = try objects.map { field in
      try field.refuseOthers(than: ["name", "value"])
      func text(_ name: String, most: Int) throws -> String {
        let text = try field.text(name) ?? ""
        return try checked(text, text.count, "A field of the profile", most: most)
      }
      return AccountSource.Field(
        name: try text("name", most: limits.fieldName), value: try text("value", most: limits.fieldValue))
    }.filter { !isBlank($0.name) || !isBlank($0.value) }
    guard fields.count <= limits.fields else { throw Refusal.invalid("A profile has at most \(limits.fields) fields.") }
    return fields
  }

  private static func checked(_ text: String, _ count: Int, _ what: String, most: Int) throws(Refusal) -> String {
    guard count <= most else {
      throw Refusal.invalid("\(what) has \(count) characters; the limit is \(most).")
    }
    guard text.utf8.count <= most * mostBytesPerCharacter else {
      throw Refusal.invalid("\(what) is too long: the limit is \(most * mostBytesPerCharacter) bytes.")
    }
    // SQLite text ends at NUL, so remove NULs.
    return text.filter { $0 != "\0" }
  }
}
