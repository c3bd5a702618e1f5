public import FoundationEssentials
public import QwinkleService

extension FeedState {
  /// Records the outcome of a refresh, which succeeded if `error` is nil.
  public mutating func note(_ error: DownloadError?, at now: Date) {
    if let error, error.isCancelled {
      wasCancelled = true
      return
    }
    self.error = error
    switch error {
    case nil:
      refreshedAt = now
      offlineSince = nil
    case .transport: offlineSince = offlineSince ?? now
    // The server is reachable, even if it returns an error.
    default: offlineSince = nil
    }
  }

  /// Records the outcome of fetching older rows, which doesn't count as a refresh.
  mutating func noteOlder(_ error: DownloadError?) {
    if error?.isCancelled == true { wasCancelled = true } else { self.error = error }
  }
}
