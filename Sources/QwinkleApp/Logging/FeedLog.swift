import Logging
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService

/// Logs an account's errors and redirects.
@MainActor
final class FeedLog: AccountObserver {
  private let log: Logger
  private var lastErrors: [TimelineName: DownloadError] = [:]
  private var neededSignIn = false

  init(log: Logger) {
    self.log = log
  }

  func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {
    let error = timelines.state(of: name).error
    guard error != lastErrors[name] else { return }
    lastErrors[name] = error
    if let error { log.warning("timeline \(name.key): \(error.sentence)") }
  }

  func connectionDidChangeState(_ connection: AccountConnection) {
    guard connection.needsSignIn != neededSignIn else { return }
    neededSignIn = connection.needsSignIn
    if neededSignIn { log.warning("the server requires a new sign-in") }
  }

  func connection(_ connection: AccountConnection, didFollowRedirectTo url: String) {
    log.info("redirected to \(PercentEncoding.encoded(url.prefix { $0 != "?" && $0 != "#" }))")
  }

  func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) {
    log.warning("post: \(error.sentence)")
  }
}
