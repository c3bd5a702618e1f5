public import QwinkleModel

/// Decoding of filtered notifications.
extension WireDecoder {
  /// Decodes a notification policy in either version of the API.
  public static func notificationPolicy(from body: [UInt8]) throws(WireError) -> NotificationPolicy {
    try NotificationPolicyEntity.single(body)
  }

  /// Decodes a page of notification requests. `link` is the response's Link header.
  public static func notificationRequests(
    from body: [UInt8], link: String?
  ) throws(WireError) -> Page<NotificationRequest> {
    try BodyReader(body).page(of: NotificationRequestEntity.self, link: link)
  }

  /// Decodes a notification request.
  public static func notificationRequest(from body: [UInt8]) throws(WireError) -> NotificationRequest {
    try NotificationRequestEntity.single(body)
  }
}
