import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Status/#Mention>
struct MentionEntity: WireEntity {
  var id: String
  var username: String
  var acct: String
  var url: String?

  enum CodingKeys: String, CodingKey {
    case id, username, acct, url
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.requiredIdentifier(.id)
    let acct = container.text(.acct)
    username = container.string(.username) ?? String(acct.prefix { $0 != "@" })
    self.acct = acct.isEmpty ? username : acct
    url = container.string(.url)
  }

  var model: Qwink.Mention {
    Qwink.Mention(
      id: Identifier(SafeText.line(id)), userName: SafeText.line(username).trimmed(),
      handle: SafeText.line(acct).trimmed(), url: SafeURL.link(url))
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
