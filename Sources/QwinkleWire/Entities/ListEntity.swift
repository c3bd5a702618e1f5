import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/List/>
struct ListEntity: WireEntity {
  let model: PersonalList

  enum CodingKeys: String, CodingKey {
    case id, title, exclusive
    case replies = "replies_policy"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = PersonalList(
      id: try container.requiredID(.id), title: container.line(.title),
      replies: PersonalList.Replies(rawValue: container.text(.replies)) ?? .list,
      isExclusive: container.flag(.exclusive))
  }

  static func write(_ list: PersonalList, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", list.id.rawValue)
      writer.field("title", list.title)
      writer.field("replies_policy", list.replies.rawValue)
      writer.field("exclusive", list.isExclusive)
    }
  }
}
