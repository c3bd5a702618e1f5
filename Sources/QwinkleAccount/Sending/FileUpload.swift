import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import Timekeeping

/// The upload of one file, until the server has processed it.
@MainActor
public final class FileUpload {
  /// How far it is.
  public enum State: Hashable, Sendable {
    /// So many bytes of all were sent.
    case sending(Int, of: Int)
    /// The server works on it.
    case processing
    case ready(Attachment)
    case failed(AttachmentError)
  }

  /// How often a server is asked whether it has processed a file, and the wait before each.
  private static let mostLooks = 90
  private static let wait = Duration.seconds(1)

  public let upload: Upload
  public private(set) var state: State {
    didSet { if state != oldValue { didChange?() } }
  }
  /// Called when ``state`` changes.
  public var didChange: (@MainActor () -> Void)?

  private let connection: AccountConnection
  private var completion: (@MainActor (Result<Attachment, AttachmentError>) -> Void)?
  private var fetch: Fetch?
  private var timer: ProgramTimer?
  private var looks = 0

  public init(_ upload: Upload, by connection: AccountConnection) {
    self.upload = upload
    self.connection = connection
    state = .sending(0, of: upload.bytes.count)
  }

  /// Starts it. `completion` hears of the end, unless it is cancelled.
  public func start(_ completion: @escaping @MainActor (Result<Attachment, AttachmentError>) -> Void) {
    self.completion = completion
    fetch = connection.ask(.upload(upload, boundary: "qwinkle-\(UUID().uuidString)")) { [weak self] in self?.take($0) }
    fetch?.didSend = { [weak self] in self?.state = .sending($0, of: $1) }
  }

  /// Ends it. Nobody hears of it any more.
  public func cancel() {
    completion = nil
    didChange = nil
    timer = nil
    if let fetch { connection.cancel(fetch) }
    fetch = nil
  }

  private func take(_ result: Result<UploadState, DownloadError>) {
    switch result {
    case .success(let answer) where answer.isReady: end(.success(answer.attachment))
    case .success(let answer): lookLater(answer.attachment)
    case .failure(let error): end(.failure(.notSent(upload.name, error)))
    }
  }

  private func lookLater(_ attachment: Attachment) {
    guard looks < Self.mostLooks else { return end(.failure(.neverProcessed(upload.name))) }
    looks += 1
    state = .processing
    timer = connection.clock.schedule(after: Self.wait) { [weak self] in
      guard let self else { return }
      fetch = connection.ask(.uploadState(attachment.id)) { [weak self] in self?.take($0) }
    }
  }

  private func end(_ result: Result<Attachment, AttachmentError>) {
    fetch = nil
    timer = nil
    switch result {
    case .success(let attachment): state = .ready(attachment)
    case .failure(let error): state = .failed(error)
    }
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}
