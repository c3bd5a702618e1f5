import HTTPTypes

/// Routes of Mastodon features that this server lacks. They return an empty list, so that clients continue to work.
enum AbsentHandlers {
  static let routes =
    open.map { Route(.get, $0, .optional) { _, _ in empty } }
    + personal.map { Route(.get, $0, .required) { _, _ in empty } }

  private static let empty = ServiceResponse(.json { Array("[]".utf8) })

  private static let open = [
    "/api/v1/custom_emojis", "/api/v1/instance/peers", "/api/v1/trends",
    "/api/v1/trends/links", "/api/v1/trends/statuses", "/api/v1/trends/tags",
  ]

  private static let personal = [
    "/api/v1/announcements", "/api/v1/domain_blocks", "/api/v1/endorsements",
    "/api/v1/suggestions", "/api/v2/suggestions",
  ]
}
