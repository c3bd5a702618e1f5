import FoundationEssentials
import QwinkleModel
import SafeText

/// A status in a list: by itself, or as a boost around its original. Boosts of boosts don't exist; of one, only the
/// first original would be read.
struct RowEntity: WireEntity {
  var status: StatusEntity
  var original: StatusEntity?

  enum CodingKeys: String, CodingKey {
    case reblog
  }

  init(from decoder: any Decoder) throws {
    status = try StatusEntity(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if try container.decodeIfPresent(Present.self, forKey: .reblog) != nil {
      original = try container.decode(StatusEntity.self, forKey: .reblog)
    }
  }

  var model: Qwink {
    guard let original else { return status.model }
    var qwink = original.model
    let outcomes = status.filtered.map(\.model)
    qwink.id = Qwink.ID(SafeText.line(status.id))
    qwink.booster = status.account.model
    qwink.boostedAt = status.createdAt
    qwink.isFilteredOut = qwink.isFilteredOut || outcomes.contains(.hide)
    for title in StatusEntity.titles(of: outcomes) where !qwink.filterTitles.contains(title) {
      qwink.filterTitles.append(title)
    }
    return qwink
  }

  /// Anything but null.
  private struct Present: Decodable {
    init(from decoder: any Decoder) {}
  }
}
