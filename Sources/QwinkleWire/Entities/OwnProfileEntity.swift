import QwinkleModel

/// The user's editable profile, from a CredentialAccount.
/// <https://docs.joinmastodon.org/entities/Account/#CredentialAccount>
enum OwnProfileEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> OwnProfile {
    _ = try fields.requiredIdentifier("id")
    let source = fields.object("source")
    // Prefer the note as plain text, which not all servers send.
    let note = source?.string("note")?.withoutNUL() ?? fields.richText("note").plainText
    var profile = OwnProfile(
      displayName: fields.text("display_name").withoutNUL(), note: note,
      usualVisibility: source?.string("privacy").flatMap(Visibility.init))
    profile.usualQuotePolicy = source?.string("quote_policy").flatMap(QuotePolicy.init)
    // The fields of the account itself are HTML, which can't be saved as plain text without losing links.
    if let source, source.contains("fields") { profile.fields = source.models("fields", of: PlainField.self) }
    for setting in OwnProfile.Setting.allCases {
      // A setting that was never changed can be null, which servers treat as off.
      let key = WireKey(stringValue: setting.rawValue)
      guard let holder = [source, fields].compactMap(\.self).first(where: { $0.contains(key) }) else { continue }
      profile.settings[setting] = holder.flag(key)
    }
    profile.isUsuallySensitive = source?.bool("sensitive")
    if let source, source.contains("language") {
      profile.usualLanguage = (source.string("language") ?? "").withoutNUL()
    }
    return profile
  }

  private enum PlainField: WireEntity {
    static func read(_ fields: WireFields) -> OwnProfile.Field {
      OwnProfile.Field(name: fields.text("name").withoutNUL(), value: fields.text("value").withoutNUL())
    }
  }

  /// Writes the body of PATCH update_credentials. If `old` is given, writes only the values that differ from it.
  static func write(_ profile: OwnProfile, changing old: OwnProfile?, to writer: inout JSONWriter) {
    writer.object { writer in
      if profile.displayName != old?.displayName { writer.field("display_name", profile.displayName) }
      if profile.note != old?.note { writer.field("note", profile.note) }
      if let fields = profile.fields, fields != old?.fields { write(fields, to: &writer) }
      for setting in OwnProfile.Setting.allCases {
        guard let value = profile.settings[setting], value != old?.settings[setting] else { continue }
        writer.field(named: setting.rawValue, value)
      }
      writeSource(profile, changing: old, to: &writer)
    }
  }

  /// Writes all fields, because servers replace all of them. Without any field, writes an empty one, because some
  /// servers ignore an empty list.
  private static func write(_ fields: [OwnProfile.Field], to writer: inout JSONWriter) {
    let fields = fields.isEmpty ? [OwnProfile.Field(name: "", value: "")] : fields
    writer.field("fields_attributes") { writer in
      for (index, field) in fields.enumerated() {
        writer.field(named: String(index)) { writer in
          writer.field("name", field.name)
          writer.field("value", field.value)
        }
      }
    }
  }

  private static func writeSource(_ profile: OwnProfile, changing old: OwnProfile?, to writer: inout JSONWriter) {
    let visibility = profile.usualVisibility == old?.usualVisibility ? nil : profile.usualVisibility
    let isSensitive = profile.isUsuallySensitive == old?.isUsuallySensitive ? nil : profile.isUsuallySensitive
    let language = profile.usualLanguage == old?.usualLanguage ? nil : profile.usualLanguage
    guard visibility != nil || isSensitive != nil || language != nil else { return }
    writer.field("source") { writer in
      if let visibility { writer.field("privacy", visibility.rawValue) }
      if let isSensitive { writer.field("sensitive", isSensitive) }
      if let language { writer.field("language", language) }
    }
  }
}
