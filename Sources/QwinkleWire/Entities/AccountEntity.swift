import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Account/>
enum AccountEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Qwinker {
    let id = try fields.requiredIdentifier("id")
    let acct = fields.text("acct")
    let username = fields.string("username") ?? String(acct.prefix { $0 != "@" })
    let userName = Self.name(username.isEmpty ? id : username, else: id)
    var qwinker = Qwinker(
      id: Qwinker.ID(SafeText.line(id)), userName: userName, handle: Self.name(acct, else: userName),
      displayName: SafeText.name(fields.text("display_name")), note: fields.richText("note"),
      url: fields.link("url", "uri"), avatarURL: fields.link("avatar", "avatar_static"),
      isBot: fields.flag("bot"), isLocked: fields.flag("locked"),
      movedTo: Self.handle(fields.object("moved")?.string("acct")), createdAt: fields.date("created_at"),
      followersCount: fields.count("followers_count"), followingCount: fields.count("following_count"),
      qwinksCount: fields.count("statuses_count"), fields: fields.models("fields", of: FieldEntity.self))
    qwinker.isSuspended = fields.flag("suspended")
    qwinker.isLimited = fields.flag("limited")
    qwinker.emoji = fields.customEmoji()
    qwinker.traits = traits(fields)
    qwinker.muteEndsAt = fields.date("mute_expires_at")
    return qwinker
  }

  private static func traits(_ fields: WireFields) -> Qwinker.Traits {
    var traits: Qwinker.Traits = []
    if fields.flag("group") { traits.insert(.group) }
    if fields.flag("memorial") { traits.insert(.memorial) }
    if fields.flag("hide_collections") { traits.insert(.hidesFollows) }
    if fields.flag("discoverable") { traits.insert(.discoverable) }
    if fields.flag("indexable") { traits.insert(.indexed) }
    return traits
  }

  private static func handle(_ raw: String?) -> String? {
    let handle = raw.map { SafeText.line($0).trimmed() } ?? ""
    return handle.isEmpty ? nil : handle
  }

  private static func name(_ raw: String, else other: String) -> String {
    let name = SafeText.line(raw).trimmed()
    return name.isEmpty ? SafeText.line(other) : name
  }
}

enum FieldEntity: WireEntity {
  static func read(_ fields: WireFields) -> Qwinker.Field {
    Qwinker.Field(
      name: fields.line("name"), value: fields.richText("value"), verifiedAt: fields.date("verified_at"))
  }
}

extension AccountEntity {
  /// Writes an Account, or a CredentialAccount if `source` is given.
  static func write(_ qwinker: Qwinker, source: AccountSource? = nil, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", qwinker.id.rawValue)
      writer.field("username", qwinker.userName)
      writer.field("acct", qwinker.handle)
      writer.field("display_name", qwinker.displayName)
      writer.field("locked", qwinker.isLocked)
      writer.field("bot", qwinker.isBot)
      writer.field("discoverable", qwinker.traits.contains(.discoverable))
      writer.field("group", qwinker.traits.contains(.group))
      if qwinker.traits.contains(.indexed) { writer.field("indexable", true) }
      if qwinker.traits.contains(.hidesFollows) { writer.field("hide_collections", true) }
      if qwinker.traits.contains(.memorial) { writer.field("memorial", true) }
      writer.field("created_at", qwinker.createdAt)
      writer.field("note", HTMLWriter.html(from: qwinker.note, base: qwinker.url))
      writer.field("url", qwinker.url ?? "")
      writer.field("uri", qwinker.url ?? "")
      writer.field("avatar", qwinker.avatarURL ?? "")
      writer.field("avatar_static", qwinker.avatarURL ?? "")
      writer.field("header", qwinker.headerURL ?? "")
      writer.field("header_static", qwinker.headerURL ?? "")
      writer.field("followers_count", qwinker.followersCount)
      writer.field("following_count", qwinker.followingCount)
      writer.field("statuses_count", qwinker.qwinksCount)
      writer.field("last_status_at", qwinker.lastQwinkAt.map { String(WireDate.text($0).prefix(10)) })
      if let moved = qwinker.movedTo { writer.field("moved") { $0.field("acct", moved) } }
      if qwinker.isSuspended { writer.field("suspended", true) }
      if qwinker.isLimited { writer.field("limited", true) }
      if let end = qwinker.muteEndsAt { writer.field("mute_expires_at", end) }
      if let source { write(source, qwinker.traits, to: &writer) }
      if let role = source?.role { writer.field(role) }
      writer.field("emojis", qwinker.emoji) { CustomEmojiEntity.write($1, to: &$0) }
      writer.emptyList("roles")
      writer.field("fields", qwinker.fields) { writer, field in
        let value = HTMLWriter.html(from: field.value, base: qwinker.url)
        write(name: field.name, value: value, verifiedAt: field.verifiedAt, to: &writer)
      }
    }
  }

  private static func write(_ source: AccountSource, _ traits: Qwinker.Traits, to writer: inout JSONWriter) {
    writer.field("source") { writer in
      writer.field("privacy", source.visibility.rawValue)
      writer.field("sensitive", source.isSensitive)
      writer.field("language", source.language ?? "")
      writer.field("note", source.note)
      writer.field("follow_requests_count", source.followRequestsCount)
      if let policy = source.quotePolicy { writer.field("quote_policy", policy.rawValue) }
      writer.field("hide_collections", traits.contains(.hidesFollows))
      writer.field("discoverable", traits.contains(.discoverable))
      writer.field("indexable", traits.contains(.indexed))
      writer.field("fields", source.fields) { writer, field in
        write(name: field.name, value: field.value, verifiedAt: nil, to: &writer)
      }
    }
  }

  private static func write(name: String, value: String, verifiedAt: Date?, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.field("value", value)
      writer.field("verified_at", verifiedAt)
    }
  }
}
