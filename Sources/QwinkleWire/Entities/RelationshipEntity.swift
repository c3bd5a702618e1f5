import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Relationship/>
struct RelationshipEntity: WireEntity {
  var id: String
  var following: Bool
  var requested: Bool
  var followedBy: Bool
  var requestedBy: Bool
  var muting: Bool
  var blocking: Bool

  enum CodingKeys: String, CodingKey {
    case id, following, requested, muting, blocking
    case followedBy = "followed_by"
    case requestedBy = "requested_by"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.requiredIdentifier(.id)
    following = container.flag(.following)
    requested = container.flag(.requested)
    followedBy = container.flag(.followedBy)
    requestedBy = container.flag(.requestedBy)
    muting = container.flag(.muting)
    blocking = container.flag(.blocking)
  }

  var model: Relationship {
    Relationship(
      id: Qwinker.ID(SafeText.line(id)), isFollowing: following, isRequested: requested, isFollowedBy: followedBy,
      isAskingToFollow: requestedBy, isMuting: muting, isBlocking: blocking)
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
