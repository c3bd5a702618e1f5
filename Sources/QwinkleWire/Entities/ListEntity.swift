import QwinkleModel

/// <https://docs.joinmastodon.org/entities/List/>
enum ListEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> PersonalList {
    PersonalList(
      id: try fields.requiredID("id"), title: fields.line("title"),
      replies: PersonalList.Replies(rawValue: fields.text("replies_policy")) ?? .list,
      isExclusive: fields.flag("exclusive"))
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
