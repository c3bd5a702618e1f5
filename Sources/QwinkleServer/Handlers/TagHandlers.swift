import HTTPTypes
import QwinkleWire

/// Tags: their timelines and use.
enum TagHandlers {
  static let routes = [
    Route(.get, "/api/v1/timelines/tag/:tag", .optional, timeline),
    Route(.get, "/api/v1/tags/:name", .optional, show),
  ]

  /// Maximum number of names in a list; further ones are ignored.
  private static let mostNames = 4

  /// `any`, `all` and `none` list further tags.
  private static func timeline(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    guard let tag = request.arguments.first.map(TagName.folded), !request.flag("remote"), !request.flag("only_media")
    else { return ServiceResponse(.qwinks([])) }
    func names(_ list: String) -> [String] { request.list(list).prefix(mostNames).map(TagName.folded) }
    let choice = TagChoice(any: [tag] + names("any"), all: names("all"), none: names("none"))
    return try TimelineHandlers.answer(choice.isSingle ? .tag(tag) : .tags(choice), request, session)
  }

  private static func show(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    // A name that linkify doesn't recognize isn't a tag.
    guard let name = request.arguments.first, linkify("#\(name)").tagNames == [name] else { throw Refusal.notFound }
    let folded = TagName.folded(name)
    let days = try session.history(ofTag: folded)
    return ServiceResponse(.json(WireEncoder.tag(folded, days, base: request.origin.url("/"))))
  }
}
