extension Duration {
  /// This duration in whole seconds, rounded up, at least 1.
  public var secondsToWait: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
  }
}
