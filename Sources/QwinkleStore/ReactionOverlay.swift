import Foundation
import QwinkleModel
import QwinkleWire

/// The user's reactions to a post whose cached JSON may lack them: a page that was requested before a reaction shows
/// the earlier state. The cache stores the reactions next to the JSON, which stays as received. A page that is
/// requested later contains the reactions, so it removes the overlay.
struct ReactionOverlay: Codable {
  enum CodingKeys: String, CodingKey {
    case isFavourite = "favourited"
    case isBoosted = "reblogged"
    case isBookmarked = "bookmarked"
    case favouritesCount = "favourites_count"
    case boostsCount = "reblogs_count"
  }

  var isFavourite: Bool
  var isBoosted: Bool
  var isBookmarked: Bool
  var favouritesCount: Int
  var boostsCount: Int

  init(_ qwink: Qwink) {
    isFavourite = qwink.isFavourite
    isBoosted = qwink.isBoosted
    isBookmarked = qwink.isBookmarked
    favouritesCount = qwink.favouritesCount
    boostsCount = qwink.boostsCount
  }

  /// The reactions as JSON, with the names that the members of a status have in the Mastodon API.
  var json: Data? { try? JSONEncoder().encode(self) }

  func applied(to qwink: Qwink) -> Qwink {
    var qwink = qwink
    qwink.isFavourite = isFavourite
    qwink.isBoosted = isBoosted
    qwink.isBookmarked = isBookmarked
    qwink.favouritesCount = favouritesCount
    qwink.boostsCount = boostsCount
    return qwink
  }

  /// Decodes cached JSON and applies the reactions in `overlay`, if any. Returns nil if the JSON can't be decoded.
  static func qwink(_ source: Data, overlay: Data?) -> Qwink? {
    guard let qwink = try? WireDecoder.qwink(from: [UInt8](source)) else { return nil }
    guard let overlay, let reactions = try? JSONDecoder().decode(ReactionOverlay.self, from: overlay) else {
      return qwink
    }
    return reactions.applied(to: qwink)
  }
}
