public import FoundationEssentials
public import QwinkleService

extension FeedState {
  /// Notes how the last attempt ended: with `error`, given up, or well.
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
    // It answers, if not what was hoped for.
    default: offlineSince = nil
    }
  }

  /// Notes how fetching older rows ended: that says nothing of what is new.
  mutating func noteOlder(_ error: DownloadError?) {
    if error?.isCancelled == true { wasCancelled = true } else { self.error = error }
  }
}
