import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<Tag> {
  /// The tags that the user follows.
  public static func followedTags(limit: Int) -> Request {
    page(at: .path("/api/v1/followed_tags?limit=\(limit)")).needing(.followedTags)
  }

  /// Popular tags.
  public static func trendingTags(limit: Int) -> Request {
    page(at: .path("/api/v1/trends/tags?limit=\(limit)")).needing(.trends)
  }

  /// The page of tags at `cursor`, which an earlier page returned.
  public static func tagsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of tags", at: place, decode: WireDecoder.tags)
  }
}

extension Request where Answer == Tag {
  /// A tag, and whether the user follows it. `name` is without `#`. Falls back to the list of followed tags if the
  /// server has not seen the tag, or has no endpoint for single tags.
  public static func tag(_ name: String) -> Request {
    var request = Request("download of a tag", .get, RequestPath.tag(name), decode: WireDecoder.tag)
    request.fallback = { $0.mayBeOfUnknownCall ? followed(name) : nil }
    return request.needing(.followedTags)
  }

  private static func followed(_ name: String) -> Request {
    Request("download of a tag", .get, "/api/v1/followed_tags?limit=200") { (body) throws(WireError) in
      let tags = try WireDecoder.tags(from: body, link: nil).items
      return tags.first { $0.name.lowercased() == name.lowercased() } ?? Tag(name: name, isFollowed: false)
    }
  }

  /// Follows or unfollows a tag. `name` is without `#`.
  public static func followTag(_ name: String, isOn: Bool) -> Request {
    Request("following a tag", .post, "\(RequestPath.tag(name))/\(isOn ? "" : "un")follow", decode: WireDecoder.tag)
      .needing(.followedTags)
  }
}

extension Request where Answer == [Qwink.Card] {
  /// Popular links.
  public static func trendingLinks(limit: Int) -> Request {
    Request("download of links", .get, "/api/v1/trends/links?limit=\(limit)", decode: WireDecoder.cards)
      .needing(.trends)
  }
}

extension Request where Answer == [Announcement] {
  /// The server's announcements.
  public static var announcements: Request {
    Request("download of announcements", .get, "/api/v1/announcements", decode: WireDecoder.announcements)
      .needing(.announcements)
  }
}

extension Request where Answer == Page<String> {
  /// The servers that the user has blocked.
  public static func blockedDomains(limit: Int) -> Request {
    page(at: .path("\(RequestPath.blockedDomains)?limit=\(limit)")).needing(.blockedServerList)
  }

  /// The page of blocked servers at `cursor`, which an earlier page returned.
  public static func blockedDomainsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of blocked servers", at: place, decode: WireDecoder.domains)
  }
}

extension Request where Answer == [String] {
  /// The shortcodes of the server's custom emoji, without colons.
  public static var emoji: Request {
    Request("download of emoji", .get, "/api/v1/custom_emojis", decode: WireDecoder.emoji)
      .needing(.serverEmoji)
  }
}

extension Request where Answer == Void {
  /// Marks an announcement as read.
  public static func dismissAnnouncement(_ id: Announcement.ID) -> Request {
    Request("dismissing an announcement", .post, "/api/v1/announcements/\(RequestPath.piece(id.rawValue))/dismiss")
  }

  /// Blocks or unblocks a whole server.
  public static func blockDomain(_ domain: String, isOn: Bool) -> Request {
    Request(
      isOn ? "blocking a server" : "unblocking a server", isOn ? .post : .delete, RequestPath.blockedDomains,
      json: WireEncoder.domain(domain)
    ).needing(.serverBlocks)
  }

  /// Reports an account to the server's moderators.
  public static func report(_ report: Report) -> Request {
    Request("reporting", .post, "/api/v1/reports", json: WireEncoder.report(report))
  }
}

extension RequestPath {
  fileprivate static let blockedDomains = "/api/v1/domain_blocks"

  fileprivate static func tag(_ name: String) -> String { "/api/v1/tags/\(piece(name))" }
}
