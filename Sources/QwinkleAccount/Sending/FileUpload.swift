import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import Timekeeping

/// The upload of one file, from reading the file to the end of its processing on the server.
@MainActor
public final class FileUpload {
  public enum State: Hashable, Sendable {
    /// The file is being checked against the server's limits.
    case reading
    /// Bytes sent so far, and the total.
    case sending(Int, of: Int)
    /// The server has received the file and is processing it.
    case processing
    case ready(Attachment)
    case failed(AttachmentError)
  }

  /// Maximum number of requests for the state of a file that the server is processing, and the delay before each.
  private static let mostLooks = 90
  private static let wait = Duration.seconds(1)

  /// The file to send, or nil until it has been read.
  public private(set) var upload: Upload?
  public private(set) var state: State {
    didSet { if state != oldValue { didChange?() } }
  }
  /// Called when ``state`` changes, until the upload ends or is cancelled.
  public var didChange: (@MainActor () -> Void)?

  private let connection: AccountConnection
  private let path: String?
  private let limits: ServerInfo.Uploads?
  private let home: String?
  /// The request in progress.
  private var download: DownloadIdentifier?
  private var timer: ProgramTimer?
  private var looks = 0
  private var hasEnded = false

  /// Creates an upload of a file that has already been read.
  public init(_ upload: Upload, by connection: AccountConnection) {
    self.upload = upload
    self.connection = connection
    path = nil
    limits = nil
    home = nil
    state = .sending(0, of: upload.byteCount)
  }

  /// Creates an upload of the file at `path`, which must be within `limits`. A leading `~` is `home`, or the
  /// environment's `HOME` if nil.
  public init(path: String, limits: ServerInfo.Uploads?, home: String? = nil, by connection: AccountConnection) {
    self.connection = connection
    self.path = path
    self.limits = limits
    self.home = home
    state = .reading
  }

  /// Starts the upload. Call this once.
  public func start() {
    if let upload { return send(upload) }
    guard let path else { return }
    connection.task("reading a file") { [weak self, limits, home] in
      do throws(AttachmentError) {
        let upload = try await AttachedFile.read(path, limits: limits, home: home)
        self?.send(upload)
      } catch {
        self?.end(.failed(error))
      }
    }
  }

  /// Cancels the upload. ``didChange`` isn't called again.
  public func cancel() {
    hasEnded = true
    didChange = nil
    timer = nil
    guard let download else { return }
    self.download = nil
    connection.cancel(download)
  }

  private func send(_ upload: Upload) {
    guard !hasEnded else { return }
    self.upload = upload
    state = .sending(0, of: upload.byteCount)
    // The owner may have cancelled the upload in `didChange`.
    guard !hasEnded else { return }
    download = connection.start(.upload(upload, boundary: "qwinkle-\(UUID().uuidString)"), delegate: self)
  }

  private func lookLater(_ attachment: Attachment) {
    guard looks < Self.mostLooks else { return end(.failed(.neverProcessed(upload?.name ?? ""))) }
    looks += 1
    state = .processing
    timer = connection.clock.schedule(after: Self.wait) { [weak self] in
      guard let self else { return }
      download = connection.start(.uploadState(attachment.id), delegate: self)
    }
  }

  private func end(_ state: State) {
    guard !hasEnded else { return }
    hasEnded = true
    download = nil
    timer = nil
    self.state = state
    didChange = nil
  }

  private func fail(_ error: DownloadError) { end(.failed(.notSent(upload?.name ?? "", error))) }
}

extension FileUpload: DownloadServiceDelegate {
  public func downloadService(
    _ service: DownloadService, didSend bytes: Int, of total: Int, for identifier: DownloadIdentifier
  ) {
    if identifier == download { state = .sending(bytes, of: total) }
  }

  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    guard identifier == download, let answer = answer as? UploadState else { return }
    download = nil
    if answer.isReady { end(.ready(answer.attachment)) } else { lookLater(answer.attachment) }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if identifier == download { fail(error) }
  }
}
