import Logging
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService

/// Notes in the log what went wrong with a feed.
@MainActor
final class FeedLog: QwinkFeedObserver {
  private let log: Logger
  private var lastErrors: [TimelineName: DownloadError] = [:]

  init(log: Logger) {
    self.log = log
  }

  func feed(_ feed: QwinkFeed, didChangeStateOf name: TimelineName) {
    let error = feed.state(of: name).error
    guard error != lastErrors[name] else { return }
    lastErrors[name] = error
    if let error { log.warning("timeline \(name.key): \(error)") }
  }

  func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError) {
    log.warning("post: \(error)")
  }
}
