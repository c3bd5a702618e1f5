public import FoundationEssentials
public import QwinkleService

extension FeedState {
  /// Notes how a refresh ended: well if `error` is nil.
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
    // The server answers, even with an error.
    default: offlineSince = nil
    }
  }

  /// Notes how fetching older rows ended, which doesn't count as a refresh.
  mutating func noteOlder(_ error: DownloadError?) {
    if error?.isCancelled == true { wasCancelled = true } else { self.error = error }
  }
}
