public import QwinkleService

/// Something that was done at once and did not arrive.
@MainActor
public struct FeedFailure {
  /// The beginning of a sentence: "The boost".
  public let what: String
  public let error: DownloadError
  /// Whether it is still so: it may have been done again since, or have arrived all the same.
  public let isSo: @MainActor () -> Bool

  init(_ what: String, _ error: DownloadError, isSo: @escaping @MainActor () -> Bool = { true }) {
    self.what = what
    self.error = error
    self.isSo = isSo
  }

  /// What failed, why, and what to do.
  public var sentence: String { "\(what) failed. \(error.sentence)" }
}
