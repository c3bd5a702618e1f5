import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Announcement/>
enum AnnouncementEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Announcement {
    Announcement(
      id: try fields.requiredID("id"), text: fields.richText("content"), publishedAt: fields.date("published_at"),
      startsAt: fields.date("starts_at"), endsAt: fields.date("ends_at"), isRead: fields.flag("read"))
  }
}
