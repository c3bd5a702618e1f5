import QwinkleModel
public import QwinkleService
import TerminalTesting
public import Testing

/// A delegate that records its calls and allows a test to wait for the end of a download.
@MainActor
public final class DelegateRecorder: DownloadServiceDelegate {
  /// A delegate call.
  public enum Event: Sendable {
    case started
    case received(bytes: Int, of: Int?)
    case asked(aboutRedirectTo: String)
    case redirected(to: String)
    case needsAuthentication
    case downloaded(any Sendable)
    case failed(DownloadError)
    case finished

    /// The event's name, for comparing sequences.
    public var word: String {
      switch self {
      case .started: "started"
      case .received: "received"
      case .asked: "asked"
      case .redirected: "redirected"
      case .needsAuthentication: "needsAuthentication"
      case .downloaded: "downloaded"
      case .failed: "failed"
      case .finished: "finished"
      }
    }
  }

  /// All events, in order.
  public private(set) var events: [(identifier: DownloadIdentifier, event: Event)] = []
  /// Whether to follow redirects to other origins.
  public var followsRedirects = true
  /// Called after each event, so that tests can act between events.
  public var didHear: ((DownloadIdentifier, Event) -> Void)?

  private var finished: Set<DownloadIdentifier> = []

  public init() {}

  /// Returns the event names of one download.
  public func words(for identifier: DownloadIdentifier) -> [String] {
    events.filter { $0.identifier == identifier }.map(\.event.word)
  }

  /// Returns the event names without progress, which is reported any number of times.
  public func wordsButProgress(for identifier: DownloadIdentifier) -> [String] {
    words(for: identifier).filter { $0 != "received" }
  }

  /// The results of all downloads.
  public var answers: [any Sendable] {
    events.compactMap { if case .downloaded(let answer) = $0.event { answer } else { nil } }
  }

  /// Returns the first result of a type.
  public func answer<Answer>(_ type: Answer.Type = Answer.self) -> Answer? {
    answers.lazy.compactMap { $0 as? Answer }.first
  }

  /// The errors of all downloads.
  public var errors: [DownloadError] {
    events.compactMap { if case .failed(let error) = $0.event { error } else { nil } }
  }

  /// The ids of the first downloaded page of qwinks.
  public var qwinkIDs: [String]? {
    answer(Page<Qwink>.self)?.items.map(\.id.rawValue)
  }

  /// Returns once a download has finished. Records an issue after ``Deadline/patience``.
  public func finished(_ identifier: DownloadIdentifier, sourceLocation: SourceLocation = #_sourceLocation) async {
    do {
      try await wait(for: "the end of a download", showing: { "\(words(for: identifier))" }) {
        finished.contains(identifier)
      }
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }

  private func hear(_ event: Event, _ identifier: DownloadIdentifier) {
    events.append((identifier, event))
    didHear?(identifier, event)
    if case .finished = event { finished.insert(identifier) }
  }

  public func downloadService(_ service: DownloadService, didStart identifier: DownloadIdentifier) {
    hear(.started, identifier)
  }

  public func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier
  ) {
    hear(.received(bytes: bytes, of: expected), identifier)
  }

  public func downloadService(
    _ service: DownloadService, shouldFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) -> Bool {
    hear(.asked(aboutRedirectTo: url), identifier)
    return followsRedirects
  }

  public func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) {
    hear(.redirected(to: url), identifier)
  }

  public func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier) {
    hear(.needsAuthentication, identifier)
  }

  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    hear(.downloaded(answer), identifier)
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    hear(.failed(error), identifier)
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    hear(.finished, identifier)
  }
}
