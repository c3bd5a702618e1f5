public import FoundationEssentials
public import QwinkleService

/// Whether the server of an account answers, by the last answer or failure of all that was asked for, whatever that
/// was.
@MainActor
public final class ServerContact {
  /// When it answered last.
  public private(set) var answeredAt: Date?
  /// Since when it does not answer; nil where it answered last, or was not asked.
  public private(set) var offlineSince: Date?
  /// Called when something that was done got an answer.
  private var didWrite: [@MainActor () -> Void] = []

  public init() {}

  /// Notes an answer, or with `error` why there is none. One that was given up says nothing.
  public func note(_ error: DownloadError?, at now: Date) {
    if let error, error.isCancelled { return }
    if case .transport = error {
      offlineSince = offlineSince ?? now
    } else {
      // It answers, if not what was hoped for.
      offlineSince = nil
      answeredAt = now
    }
  }

  /// Says that something that was done has arrived: what was thought offline can be asked for again.
  public func noteWrite() {
    for tell in didWrite { tell() }
  }

  /// Calls `tell` whenever something that was done has arrived.
  func whenWritten(_ tell: @escaping @MainActor () -> Void) { didWrite.append(tell) }
}
