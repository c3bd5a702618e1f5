import QwinkleModel

/// A status in a list: either an original or a boost. Boosts of boosts don't exist. If a server sends one, the boosted
/// status is decoded as an original.
enum RowEntity: WireEntity {
  static func read(from decoder: any Decoder) throws -> Qwink {
    let fields = try decoder.fields()
    guard fields.contains("reblog"), try !fields.decodeNil(forKey: "reblog") else {
      return try StatusEntity.read(fields)
    }
    let id: Qwink.ID = try fields.requiredID("id")
    let booster = try fields.requiredModel("account", of: AccountEntity.self)
    var qwink = try fields.decode(Wire<StatusEntity>.self, forKey: "reblog").model
    qwink.id = id
    qwink.booster = booster
    qwink.boostedAt = fields.date("created_at")
    qwink.filterMatches.add(fields.models("filtered", of: FilterResultEntity.self))
    return qwink
  }
}
