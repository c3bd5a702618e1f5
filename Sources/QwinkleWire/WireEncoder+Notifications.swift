public import QwinkleModel

extension WireEncoder {
  /// Returns the API's name for a kind of notification.
  public static func word(of kind: AccountNotification.Kind) -> String { NotificationEntity.word(of: kind) }

  /// Returns the API's names for all kinds of notification that are of `type`.
  public static func words(of type: NotificationType) -> [String] { NotificationEntity.words(of: type) }
}
