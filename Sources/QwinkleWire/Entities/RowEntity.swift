import FoundationEssentials
import QwinkleModel

/// A status in a list: either an original or a boost. Boosts of boosts don't exist; if a server sends one, only the
/// first original is decoded.
struct RowEntity: WireEntity {
  let model: Qwink

  enum CodingKeys: String, CodingKey {
    case id, account, filtered, reblog
    case createdAt = "created_at"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decodeIfPresent(Present.self, forKey: .reblog) != nil else {
      model = try StatusEntity(from: decoder).model
      return
    }
    let id: Qwink.ID = try container.requiredID(.id)
    let booster = try container.requiredModel(.account, of: AccountEntity.self)
    var qwink = try container.decode(StatusEntity.self, forKey: .reblog).model
    qwink.id = id
    qwink.booster = booster
    qwink.boostedAt = container.date(.createdAt)
    qwink.filterMatches.add(container.models(.filtered, of: FilterResultEntity.self))
    model = qwink
  }

  /// A value that isn't null. Its content is ignored.
  private struct Present: Decodable {
    init(from decoder: any Decoder) {}
  }
}
