import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Announcement/>
struct AnnouncementEntity: WireEntity {
  let model: Announcement

  enum CodingKeys: String, CodingKey {
    case id, content, read
    case publishedAt = "published_at"
    case startsAt = "starts_at"
    case endsAt = "ends_at"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = Announcement(
      id: try container.requiredID(.id), text: container.richText(.content), publishedAt: container.date(.publishedAt),
      startsAt: container.date(.startsAt), endsAt: container.date(.endsAt), isRead: container.flag(.read))
  }

  static func write(_ announcement: Announcement, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", announcement.id.rawValue)
      writer.field("content", HTMLWriter.html(from: announcement.text))
      writer.field("published_at", announcement.publishedAt)
      writer.field("starts_at", announcement.startsAt)
      writer.field("ends_at", announcement.endsAt)
      writer.field("read", announcement.isRead)
    }
  }
}
