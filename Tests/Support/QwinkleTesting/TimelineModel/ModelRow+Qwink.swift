public import QwinkleModel

extension ModelRow {
  /// Recreates a row from its ``qwink``.
  public init(_ qwink: Qwink) {
    self.init(
      rowID: ID(number: Int(qwink.originalID.rawValue) ?? 0, isBoost: qwink.booster != nil),
      revision: qwink.favouritesCount)
  }

  public var qwink: Qwink {
    var qwink = Qwink.sample(id: Qwink.ID("\(rowID.number)"))
    if rowID.isBoost { qwink.booster = .sample("bob") }
    qwink.favouritesCount = revision
    return qwink
  }
}

extension Page<ModelRow> {
  public var qwinks: Page<Qwink> { map(\.qwink) }
}
