import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import SafeText

/// A file to attach to a qwink.
public enum AttachedFile {
  /// No server accepts larger files.
  private static let mostBytes = 512 << 20

  /// Number of bytes needed to detect a file's type.
  private static let typeBytes = 12

  /// Checks the file at `path` against the server's limits and returns the upload. The file is read while it is
  /// uploaded. A leading `~` is `home`, or the environment's `HOME` if nil.
  @concurrent
  public static func read(
    _ path: String, altText: String = "", focus: FocalPoint? = nil, limits: ServerInfo.Uploads?, home: String? = nil
  ) async throws(AttachmentError) -> Upload {
    let path = expanded(path, home: home)
    let name = name(ofFileAt: path)
    let file: DiskFile
    let start: [UInt8]
    do throws(DiskFile.Fault) {
      file = try DiskFile(path: path)
      start = try file.start(most: typeBytes)
    } catch {
      throw AttachmentError(error, name)
    }
    guard file.byteCount <= mostBytes else { throw .tooLargeForAny(name) }
    guard file.byteCount > 0 else { throw .empty(name) }
    let type = MediaType.ofFile(named: name, startingWith: start)
    if let refusal = limits?.refusal(ofType: type, bytes: file.byteCount) { throw .refused(name, refusal) }
    try check(altText, of: name, limits: limits)
    return Upload(name: name, type: type, content: .file(file), altText: altText, focus: focus)
  }

  /// Returns the bytes of a file, or nil if it has more than `most` bytes or can't be read.
  @concurrent
  public static func bytes(of upload: Upload, most: Int) async -> [UInt8]? {
    guard upload.byteCount <= most else { return nil }
    switch upload.content {
    case .bytes(let bytes): return bytes
    case .file(let file): return try? file.bytes()
    }
  }

  /// Returns the name of the file at `path`, for display and for the server.
  public static func name(ofFileAt path: String) -> String { SafeText.line(URL(filePath: path).lastPathComponent) }

  /// Returns the path in typed, pasted or dropped text. Expands `~`, and removes quotes, backslashes before spaces, and
  /// the `file://` of a URL.
  ///
  /// - Parameter home: the home directory, or nil for the environment's.
  public static func expanded(_ typed: String, home: String? = nil) -> String {
    var path = typed.trimmed()
    for quote in ["'", "\""] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
      path = String(path.dropFirst().dropLast())
    }
    path = path.replacing("\\ ", with: " ")
    if path.hasPrefix("file://"), let url = URL(string: path) { path = url.path }
    guard path == "~" || path.hasPrefix("~/"), let home = home ?? ProcessInfo.processInfo.environment["HOME"]
    else {
      return path
    }
    return home + path.dropFirst()
  }

  /// Like ``expanded(_:home:)``, but returns an absolute path.
  public static func absolute(_ typed: String, home: String? = nil) -> String {
    let path = expanded(typed, home: home)
    return path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  /// Throws if a description exceeds the server's limit.
  public static func check(
    _ altText: String, of name: String, limits: ServerInfo.Uploads?
  ) throws(AttachmentError) {
    guard let most = limits?.altTextCharacters, most > 0, altText.count > most else { return }
    throw .altTextTooLong(name, by: altText.count - most)
  }

  /// Uploads a file and waits until the server has processed it.
  @MainActor
  public static func send(
    _ upload: Upload, by connection: AccountConnection
  ) async throws(AttachmentError) -> Attachment {
    let result: Result<Attachment, AttachmentError> = await withCheckedContinuation { continuation in
      let file = FileUpload(upload, by: connection)
      // This closure retains `file` until the upload ends.
      file.didChange = {
        switch file.state {
        case .reading, .sending, .processing: break
        case .ready(let attachment): continuation.resume(returning: .success(attachment))
        case .failed(let error): continuation.resume(returning: .failure(error))
        }
      }
      file.start()
    }
    return try result.get()
  }
}

/// An error that prevents attaching a file.
public enum AttachmentError: Error, Hashable, Sendable {
  case missing(String)
  case unreadable(String)
  /// Another program wrote to the file while it was being read.
  case changed(String)
  case isFolder(String)
  case empty(String)
  case tooLargeForAny(String)
  /// The server doesn't accept the file's type or size. The second value is the reason, which follows the name in a
  /// sentence.
  case refused(String, String)
  case altTextTooLong(String, by: Int)
  case notSent(String, DownloadError)
  /// The server received the file, but didn't finish processing it in time.
  case neverProcessed(String)

  init(_ fault: DiskFile.Fault, _ name: String) {
    self =
      switch fault {
      case .missing: .missing(name)
      case .isFolder: .isFolder(name)
      case .unreadable: .unreadable(name)
      case .changed: .changed(name)
      }
  }

  /// The failure as a sentence, which begins in lower case or with the file's name.
  public var sentence: String {
    switch self {
    case .missing(let name): "no file \(name)."
    case .unreadable(let name): "\(name) can't be read: no permission, or not a regular file."
    case .changed(let name): "\(name) changed while it was being read."
    case .isFolder(let name): "\(name) is a folder."
    case .empty(let name): "\(name) is empty."
    case .tooLargeForAny(let name): "\(name) is larger than any server accepts."
    case .refused(let name, let reason): "\(name) \(reason)."
    case .altTextTooLong(let name, let excess):
      "the description of \(name) is \(Counted.words(excess, "character")) too long."
    case .notSent(let name, let error): "\(name) could not be uploaded. \(error.sentence)"
    case .neverProcessed(let name): "the server has not finished processing \(name). Try again later."
    }
  }
}
