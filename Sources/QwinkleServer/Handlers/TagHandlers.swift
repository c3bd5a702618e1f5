import HTTPTypes
import QwinkleWire

/// Tag timelines, followed tags and tag usage.
enum TagHandlers {
  static let routes = [
    Route(.get, "/api/v1/timelines/tag/:tag", .optional, timeline),
    Route(.get, "/api/v1/tags/:name", .optional) { request, transaction in try show(request, transaction) },
    Route(.post, "/api/v1/tags/:name/follow", .required) { request, transaction in
      try transaction.setFollow(ofTag: name(in: request), to: true)
      return try show(request, transaction)
    },
    Route(.post, "/api/v1/tags/:name/unfollow", .required) { request, transaction in
      try transaction.setFollow(ofTag: name(in: request), to: false)
      return try show(request, transaction)
    },
    Route(.get, "/api/v1/followed_tags", .required) { request, transaction in
      let page = try transaction.followedTags(PageRequest(request, usual: 100, most: 200))
      return ServiceResponse(
        { WireEncoder.tags($0, base: request.origin.url("/"), areFollowed: true) }, page.items,
        link: page.link.header(for: request))
    },
  ]

  /// Maximum number of tags in each of the parameters `any`, `all` and `none`. Further tags are ignored.
  private static let mostNames = 4

  /// Returns a tag's timeline. The parameters `any`, `all` and `none` list further tags. The timeline contains a qwink
  /// if it has the path's tag or a tag in `any`, has every tag in `all`, and has none of the tags in `none`.
  private static func timeline(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    guard let tag = request.arguments.first.map(TagName.folded), !request.flag("remote") else {
      return ServiceResponse(WireEncoder.qwinks, [])
    }
    func names(_ list: String) -> [String] { request.list(list).prefix(mostNames).map(TagName.folded) }
    let choice = TagChoice(
      any: [tag] + names("any"), all: names("all"), none: names("none"), onlyMedia: request.flag("only_media"))
    return try TimelineHandlers.answer(
      choice.isSingle ? .tag(tag, onlyMedia: choice.onlyMedia) : .tags(choice), request, transaction)
  }

  private static func show(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let folded = TagName.folded(try name(in: request))
    let days = try transaction.history(ofTag: folded)
    let isFollowed = try transaction.followsTag(folded)
    let base = request.origin.url("/")
    return ServiceResponse(.json { WireEncoder.tag(folded, days, base: base, isFollowed: isFollowed) })
  }

  /// Returns the name in the path. Throws if `linkify` doesn't recognize it as a tag.
  private static func name(in request: ServiceRequest) throws(Refusal) -> String {
    guard let name = request.arguments.first, linkify("#\(name)").tagNames == [name] else { throw .notFound }
    return name
  }
}
