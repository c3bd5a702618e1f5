import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Relationship/>
struct RelationshipEntity: WireEntity {
  let model: Relationship

  enum CodingKeys: String, CodingKey {
    case id, following, requested, muting, blocking
    case followedBy = "followed_by"
    case requestedBy = "requested_by"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = Relationship(
      id: try container.requiredID(.id), isFollowing: container.flag(.following),
      isRequested: container.flag(.requested), isFollowedBy: container.flag(.followedBy),
      isAskingToFollow: container.flag(.requestedBy), isMuting: container.flag(.muting),
      isBlocking: container.flag(.blocking))
  }

  static func write(_ relationship: Relationship, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", relationship.id.rawValue)
      writer.field("following", relationship.isFollowing)
      writer.field("showing_reblogs", relationship.isFollowing)
      writer.field("notifying", false)
      writer.nullField("languages")
      writer.field("followed_by", relationship.isFollowedBy)
      writer.field("blocking", relationship.isBlocking)
      writer.field("blocked_by", false)
      writer.field("muting", relationship.isMuting)
      writer.field("muting_notifications", relationship.isMuting)
      writer.nullField("muting_expires_at")
      writer.field("requested", relationship.isRequested)
      writer.field("requested_by", relationship.isAskingToFollow)
      writer.field("domain_blocking", false)
      writer.field("endorsed", false)
      writer.field("note", "")
    }
  }
}
