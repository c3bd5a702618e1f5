public import QwinkleService

/// A failure of an action, such as a boost.
@MainActor
public struct FeedFailure {
  /// The beginning of a sentence, such as "Boost".
  public let what: String
  public let error: DownloadError
  /// Whether the failure still applies. The action may have been repeated since, or may have succeeded after all.
  public let isSo: @MainActor () -> Bool

  init(_ what: String, _ error: DownloadError, isSo: @escaping @MainActor () -> Bool = { true }) {
    self.what = what
    self.error = error
    self.isSo = isSo
  }

  /// The failed action, the reason and advice, as shown to the user.
  public var sentence: String { "\(FailureWords.failed(what)) \(error.sentence)" }
}
