import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == [FeaturedTag] {
  /// The hashtags on a qwinker's profile.
  public static func featuredTags(of id: Qwinker.ID) -> Request {
    Request(
      "download of featured hashtags", .get, "\(RequestPath.account(id))/featured_tags",
      decode: WireDecoder.featuredTags
    ).needing(.featuredTags)
  }

  /// The hashtags on the user's profile.
  public static var ownFeaturedTags: Request {
    Request("download of featured hashtags", .get, "/api/v1/featured_tags", decode: WireDecoder.featuredTags)
      .needing(.featuredTags)
  }
}

extension Request where Answer == FeaturedTag {
  /// Features a hashtag on the user's profile.
  public static func featureTag(_ name: String) -> Request {
    Request(
      "featuring a hashtag", .post, "/api/v1/featured_tags", json: WireEncoder.tagName(name),
      decode: WireDecoder.featuredTag
    ).needing(.featuredTags)
  }
}

extension Request where Answer == Void {
  /// Removes a hashtag from the user's profile.
  public static func unfeatureTag(_ id: FeaturedTag.ID) -> Request {
    Request("removing a featured hashtag", .delete, "/api/v1/featured_tags/\(RequestPath.piece(id.rawValue))")
  }
}
