import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Status/#Mention>
enum MentionEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Qwink.Mention {
    let acct = fields.text("acct")
    let username = fields.string("username") ?? String(acct.prefix { $0 != "@" })
    return Qwink.Mention(
      id: try fields.requiredID("id"), userName: SafeText.line(username).trimmed(),
      handle: SafeText.line(acct.isEmpty ? username : acct).trimmed(), url: fields.link("url"))
  }

  static func write(_ mention: Qwink.Mention, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", mention.id.rawValue)
      writer.field("username", mention.userName)
      writer.field("acct", mention.handle)
      writer.field("url", mention.url ?? "")
    }
  }
}
