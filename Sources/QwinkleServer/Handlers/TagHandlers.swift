import HTTPTypes

/// Tags: what is filed under them, and how they are used.
enum TagHandlers {
  static let routes = [
    Route(.get, "/api/v1/timelines/tag/:tag", .optional, timeline),
    Route(.get, "/api/v1/tags/:name", .optional, show),
  ]

  /// More names than these in one list are not looked at.
  private static let mostNames = 4

  /// With `any`, `all` and `none`, lists of more tags.
  private static func timeline(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    guard let tag = request.arguments.first.map(TagName.folded), !request.flag("remote"), !request.flag("only_media")
    else { return ServiceResponse(.qwinks([])) }
    func names(_ list: String) -> [String] { request.list(list).prefix(mostNames).map(TagName.folded) }
    let choice = TagChoice(any: [tag] + names("any"), all: names("all"), none: names("none"))
    return try TimelineHandlers.answer(choice.isSingle ? .tag(tag) : .tags(choice), request, session)
  }

  private static func show(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    // A name that nobody could write is no tag.
    guard let name = request.arguments.first, linkify("#\(name)").tagNames == [name] else { throw Refusal.notFound }
    let folded = TagName.folded(name)
    return ServiceResponse(
      .json(
        SmallJSON.bytes(
          TagEntity(
            name: folded, url: request.origin.url("/tags/\(percentEncoded(folded))"),
            history: try session.history(ofTag: folded).map(TagEntity.Day.init)))))
  }
}

/// Tag, with its history: <https://docs.joinmastodon.org/entities/Tag/>. Numbers are strings there.
private struct TagEntity: Encodable {
  struct Day: Encodable {
    var day: String
    var uses: String
    var accounts: String

    init(_ day: TagDay) {
      self.day = String(day.start)
      uses = String(day.uses)
      accounts = String(day.accounts)
    }
  }

  var name: String
  var url: String
  var history: [Day]
  var following = false
  var featuring = false
}
