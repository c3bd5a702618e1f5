public import QwinkleModel

/// Who I am.
extension QwinkFeed {
  /// Takes in what the server says of the signed-in qwinker now, and tells observers.
  public func setMe(_ qwinker: Qwinker) {
    me = qwinker
    forEachObserver { $0.feedDidIdentify(self) }
  }
}
