import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import SafeText

/// A file to attach to a qwink.
public enum AttachedFile {
  /// No server takes more.
  private static let mostBytes = 512 << 20

  /// Reads the file at `path`, after a look at what the server takes. `~` is `home`, or the environment's.
  @concurrent
  public static func read(
    _ path: String, altText: String = "", limits: ServerInfo.Uploads?, home: String? = nil
  ) async throws(AttachmentError) -> Upload {
    let path = expanded(path, home: home)
    let name = SafeText.line(URL(filePath: path).lastPathComponent)
    let file = URL(filePath: path).resolvingSymlinksInPath()
    let kind = try? FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
    guard let kind else { throw .missing(name) }
    if kind == .typeDirectory { throw .isFolder(name) }
    // A device may never end, and a pipe may never begin.
    guard kind == .typeRegular else { throw .unreadable(name) }
    let data: Data
    do {
      data = try Data(contentsOf: file, options: .mappedIfSafe)
    } catch {
      throw .unreadable(name)
    }
    guard data.count <= mostBytes else { throw .tooLargeForAny(name) }
    guard !data.isEmpty else { throw .empty(name) }
    let type = MediaType.ofFile(named: name, startingWith: data)
    if let refusal = limits?.refusal(ofType: type, bytes: data.count) { throw .refused(name, refusal) }
    try check(altText, of: name, limits: limits)
    return Upload(name: name, type: type, bytes: Array(data), altText: altText)
  }

  /// The path in what was typed, pasted or dropped: `~` is the home directory; quotes, escaped blanks and the form of a
  /// URL are undone.
  ///
  /// - Parameter home: the home directory; nil: that of the environment.
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

  /// Throws if a description is longer than the server takes.
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
    let file = FileUpload(upload, by: connection)
    // It is held until it ends.
    let result = await withCheckedContinuation { continuation in
      file.start { result in withExtendedLifetime(file) { continuation.resume(returning: result) } }
    }
    return try result.get()
  }
}

/// Why a file can't be attached.
public enum AttachmentError: Error, Hashable, Sendable {
  case missing(String)
  case unreadable(String)
  case isFolder(String)
  case empty(String)
  case tooLargeForAny(String)
  /// The server doesn't take it; the reason follows its name.
  case refused(String, String)
  case altTextTooLong(String, by: Int)
  case notSent(String, DownloadError)
  /// The server took it, but was not done with it in time.
  case neverProcessed(String)

  /// What is wrong, as a sentence that begins with the file or what is missing.
  public var sentence: String {
    switch self {
    case .missing(let name): "no file \(name)."
    case .unreadable(let name): "\(name) can't be read: no permission, or no file."
    case .isFolder(let name): "\(name) is a folder."
    case .empty(let name): "\(name) is empty."
    case .tooLargeForAny(let name): "\(name) is larger than any server takes."
    case .refused(let name, let reason): "\(name) \(reason)."
    case .altTextTooLong(let name, let excess):
      "the description of \(name) is \(Counted.words(excess, "character")) too long."
    case .notSent(let name, let error): "\(name) could not be uploaded. \(error.sentence)"
    case .neverProcessed(let name): "the server has not finished processing \(name). Try again later."
    }
  }

  /// Whether its user has cancelled the upload.
  public var isCancelled: Bool {
    if case .notSent(_, let error) = self { error.isCancelled } else { false }
  }
}
