import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Account/>
struct AccountEntity: WireEntity {
  let model: Qwinker

  enum CodingKeys: String, CodingKey {
    case id, username, acct, note, url, uri, avatar, bot, locked, fields, moved, suspended, limited
    case displayName = "display_name"
    case avatarStatic = "avatar_static"
    case createdAt = "created_at"
    case followersCount = "followers_count"
    case followingCount = "following_count"
    case statusesCount = "statuses_count"
    case muteEndsAt = "mute_expires_at"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.requiredIdentifier(.id)
    let acct = container.text(.acct)
    let username = container.string(.username) ?? String(acct.prefix { $0 != "@" })
    let userName = Self.name(username.isEmpty ? id : username, else: id)
    var qwinker = Qwinker(
      id: Qwinker.ID(SafeText.line(id)), userName: userName, handle: Self.name(acct, else: userName),
      displayName: SafeText.name(container.text(.displayName)), note: container.richText(.note),
      url: container.link(.url, .uri), avatarURL: container.link(.avatar, .avatarStatic),
      isBot: container.flag(.bot), isLocked: container.flag(.locked),
      movedTo: Self.handle(container.string("acct", in: .moved)), createdAt: container.date(.createdAt),
      followersCount: container.count(.followersCount), followingCount: container.count(.followingCount),
      qwinksCount: container.count(.statusesCount), fields: container.models(.fields, of: FieldEntity.self))
    qwinker.isSuspended = container.flag(.suspended)
    qwinker.isLimited = container.flag(.limited)
    qwinker.muteEndsAt = container.date(.muteEndsAt)
    model = qwinker
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

struct FieldEntity: WireEntity {
  let model: Qwinker.Field

  enum CodingKeys: String, CodingKey {
    case name, value
    case verifiedAt = "verified_at"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = Qwinker.Field(
      name: container.line(.name), value: container.richText(.value), verifiedAt: container.date(.verifiedAt))
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
      writer.field("discoverable", true)
      writer.field("group", false)
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
      if let source { write(source, to: &writer) }
      writer.emptyList("emojis")
      writer.emptyList("roles")
      writer.field("fields", qwinker.fields) { writer, field in
        let value = HTMLWriter.html(from: field.value, base: qwinker.url)
        write(name: field.name, value: value, verifiedAt: field.verifiedAt, to: &writer)
      }
    }
  }

  private static func write(_ source: AccountSource, to writer: inout JSONWriter) {
    writer.field("source") { writer in
      writer.field("privacy", source.visibility.rawValue)
      writer.field("sensitive", source.isSensitive)
      writer.field("language", source.language ?? "")
      writer.field("note", source.note)
      writer.field("follow_requests_count", source.followRequestsCount)
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
