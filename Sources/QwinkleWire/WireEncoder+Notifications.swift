public import FoundationEssentials
public import QwinkleModel

extension WireEncoder {
  /// Returns the API's name for a kind of notification.
  public static func word(of kind: AccountNotification.Kind) -> String { NotificationEntity.word(of: kind) }

  /// Returns the API's names for all kinds of notification that are of `type`.
  public static func words(of type: NotificationType) -> [String] { NotificationEntity.words(of: type) }

  /// The API's names for the kinds of notification that a server could describe, but that this program describes
  /// itself.
  public static let describedNotifications = [
    "severed_relationships", "moderation_warning", "admin.sign_up", "admin.report", "added_to_collection",
    "collection_update",
  ]

  /// Encodes a notification policy.
  public static func notificationPolicy(_ policy: NotificationPolicy) -> [UInt8] {
    JSONWriter.bytes { NotificationPolicyEntity.write(policy, to: &$0) }
  }

  /// Encodes changes to a notification policy.
  public static func notificationRules(
    _ treatments: [NotificationPolicy.Group: NotificationPolicy.Treatment]
  ) -> [UInt8] {
    JSONWriter.bytes { $0.object { NotificationPolicyEntity.writeRules(treatments, to: &$0) } }
  }

  /// Returns the API's name for a group of a notification policy.
  public static func word(of group: NotificationPolicy.Group) -> String {
    "\(NotificationPolicyEntity.field(of: group))"
  }

  /// Encodes an array of notification requests.
  public static func notificationRequests(_ requests: [NotificationRequest]) -> [UInt8] {
    JSONWriter.bytes { $0.array(requests) { NotificationRequestEntity.write($1, to: &$0) } }
  }

  /// Encodes a notification request.
  public static func notificationRequest(_ request: NotificationRequest) -> [UInt8] {
    JSONWriter.bytes { NotificationRequestEntity.write(request, to: &$0) }
  }

  /// Encodes the ids of notification requests to answer.
  public static func notificationRequestIDs(_ ids: [NotificationRequest.ID]) -> [UInt8] {
    JSONWriter.bytes { $0.object { $0.field("id", ids.map(\.rawValue)) } }
  }
}

extension JSONWriter {
  /// Writes the member with the details of a notification that was created at this time, such as `report`.
  public mutating func field(_ detail: NotificationDetail, createdAt: Date) {
    NotificationDetailEntity.write(detail, createdAt: createdAt, to: &self)
  }
}
