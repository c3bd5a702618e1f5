import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Relationship/>
struct RelationshipEntity: WireEntity {
  let model: Relationship

  enum CodingKeys: String, CodingKey {
    case id, following, requested, muting, blocking, notifying, note
    case followedBy = "followed_by"
    case requestedBy = "requested_by"
    case blockedBy = "blocked_by"
    case showingBoosts = "showing_reblogs"
    case mutingNotifications = "muting_notifications"
    case muteEndsAt = "muting_expires_at"
    case blockingDomain = "domain_blocking"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var relationship = Relationship(
      id: try container.requiredID(.id), isFollowing: container.flag(.following),
      isRequested: container.flag(.requested), isFollowedBy: container.flag(.followedBy),
      isAskingToFollow: container.flag(.requestedBy), isMuting: container.flag(.muting),
      isBlocking: container.flag(.blocking))
    relationship.isBlockedBy = container.flag(.blockedBy)
    relationship.showsBoosts = container.bool(.showingBoosts) ?? true
    relationship.isNotifying = container.flag(.notifying)
    relationship.mutesNotifications = container.flag(.mutingNotifications)
    relationship.muteEndsAt = container.date(.muteEndsAt)
    relationship.isBlockingDomain = container.flag(.blockingDomain)
    relationship.note = SafeText.paragraphs(container.text(.note))
    model = relationship
  }

  static func write(_ relationship: Relationship, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", relationship.id.rawValue)
      writer.field("following", relationship.isFollowing)
      writer.field("showing_reblogs", relationship.showsBoosts)
      writer.field("notifying", relationship.isNotifying)
      writer.nullField("languages")
      writer.field("followed_by", relationship.isFollowedBy)
      writer.field("blocking", relationship.isBlocking)
      writer.field("blocked_by", relationship.isBlockedBy)
      writer.field("muting", relationship.isMuting)
      writer.field("muting_notifications", relationship.mutesNotifications)
      writer.field("muting_expires_at", relationship.muteEndsAt)
      writer.field("requested", relationship.isRequested)
      writer.field("requested_by", relationship.isAskingToFollow)
      writer.field("domain_blocking", relationship.isBlockingDomain)
      writer.field("endorsed", false)
      writer.field("note", relationship.note)
    }
  }
}
