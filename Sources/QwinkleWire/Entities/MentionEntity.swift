import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Status/#Mention>
struct MentionEntity: WireEntity {
  let model: Qwink.Mention

  enum CodingKeys: String, CodingKey {
    case id, username, acct, url
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let acct = container.text(.acct)
    let username = container.string(.username) ?? String(acct.prefix { $0 != "@" })
    model = Qwink.Mention(
      id: try container.requiredID(.id), userName: SafeText.line(username).trimmed(),
      handle: SafeText.line(acct.isEmpty ? username : acct).trimmed(), url: container.link(.url))
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
