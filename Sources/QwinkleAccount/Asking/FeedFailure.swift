public import QwinkleService

/// An act that showed at once and failed.
@MainActor
public struct FeedFailure {
  /// The beginning of a sentence: "Boost".
  public let what: String
  public let error: DownloadError
  /// Whether it still holds: the act may have been repeated, or have arrived all the same.
  public let isSo: @MainActor () -> Bool

  init(_ what: String, _ error: DownloadError, isSo: @escaping @MainActor () -> Bool = { true }) {
    self.what = what
    self.error = error
    self.isSo = isSo
  }

  /// The failed action, the reason and advice, as shown to the user.
  public var sentence: String { "\(FailureWords.failed(what)) \(error.sentence)" }
}
