import QwinkleModel

/// The user's editable profile, from a CredentialAccount.
/// <https://docs.joinmastodon.org/entities/Account/#CredentialAccount>
enum OwnProfileEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> OwnProfile {
    _ = try fields.requiredIdentifier("id")
    // Prefer the note as plain text, which not all servers send.
    let note = fields.object("source")?.string("note")?.withoutNUL() ?? fields.richText("note").plainText
    var profile = OwnProfile(
      displayName: fields.text("display_name").withoutNUL(), note: note,
      usualVisibility: fields.object("source")?.string("privacy").flatMap(Visibility.init))
    profile.usualQuotePolicy = fields.object("source")?.string("quote_policy").flatMap(QuotePolicy.init)
    return profile
  }

  /// Writes the body of PATCH update_credentials.
  static func write(_ profile: OwnProfile, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("display_name", profile.displayName)
      writer.field("note", profile.note)
    }
  }
}
