import HTTPTypes
import QwinkleWire

/// Tags: their timelines and use.
enum TagHandlers {
  static let routes = [
    Route(.get, "/api/v1/timelines/tag/:tag", .optional, timeline),
    Route(.get, "/api/v1/tags/:name", .optional) { request, session in try show(request, session) },
    Route(.post, "/api/v1/tags/:name/follow", .required) { request, session in
      try session.setFollow(ofTag: name(in: request), to: true)
      return try show(request, session)
    },
    Route(.post, "/api/v1/tags/:name/unfollow", .required) { request, session in
      try session.setFollow(ofTag: name(in: request), to: false)
      return try show(request, session)
    },
    Route(.get, "/api/v1/followed_tags", .required) { request, session in
      let page = try session.followedTags(PageRequest(request, usual: 100, most: 200))
      return ServiceResponse(
        .json(WireEncoder.tags(page.names, base: request.origin.url("/"), areFollowed: true)),
        link: page.link.header(for: request))
    },
  ]

  /// Maximum number of names in a list; further ones are ignored.
  private static let mostNames = 4

  /// `any`, `all` and `none` list further tags.
  private static func timeline(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    guard let tag = request.arguments.first.map(TagName.folded), !request.flag("remote") else {
      return ServiceResponse(.qwinks([]))
    }
    func names(_ list: String) -> [String] { request.list(list).prefix(mostNames).map(TagName.folded) }
    let choice = TagChoice(
      any: [tag] + names("any"), all: names("all"), none: names("none"), onlyMedia: request.flag("only_media"))
    return try TimelineHandlers.answer(
      choice.isSingle ? .tag(tag, onlyMedia: choice.onlyMedia) : .tags(choice), request, session)
  }

  private static func show(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let folded = TagName.folded(try name(in: request))
    let days = try session.history(ofTag: folded)
    let isFollowed = try session.followsTag(folded)
    let base = request.origin.url("/")
    return ServiceResponse(.json(WireEncoder.tag(folded, days, base: base, isFollowed: isFollowed)))
  }

  /// The name in the path. One that linkify doesn't recognize isn't a tag.
  private static func name(in request: ServiceRequest) throws(Refusal) -> String {
    guard let name = request.arguments.first, linkify("#\(name)").tagNames == [name] else { throw .notFound }
    return name
  }
}
