import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Relationship/>
enum RelationshipEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Relationship {
    var relationship = Relationship(
      id: try fields.requiredID("id"), isFollowing: fields.flag("following"),
      isRequested: fields.flag("requested"), isFollowedBy: fields.flag("followed_by"),
      isAskingToFollow: fields.flag("requested_by"), isMuting: fields.flag("muting"),
      isBlocking: fields.flag("blocking"))
    relationship.isBlockedBy = fields.flag("blocked_by")
    relationship.showsBoosts = fields.bool("showing_reblogs") ?? true
    relationship.isNotifying = fields.flag("notifying")
    relationship.languages = fields.list("languages", of: String.self).map { SafeText.line($0).trimmed() }
    relationship.mutesNotifications = fields.flag("muting_notifications")
    relationship.muteEndsAt = fields.date("muting_expires_at")
    relationship.isBlockingDomain = fields.flag("domain_blocking")
    relationship.note = SafeText.paragraphs(fields.text("note"))
    return relationship
  }

  static func write(_ relationship: Relationship, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", relationship.id.rawValue)
      writer.field("following", relationship.isFollowing)
      writer.field("showing_reblogs", relationship.showsBoosts)
      writer.field("notifying", relationship.isNotifying)
      if relationship.languages.isEmpty {
        writer.nullField("languages")
      } else {
        writer.field("languages", relationship.languages) { $0.string($1) }
      }
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
