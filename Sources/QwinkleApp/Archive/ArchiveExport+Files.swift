import QwinkleModel
import QwinkleService
import QwinkleWire

/// Pictures and other files of an export. A file that can't be fetched is reported at the end.
extension ArchiveExport {
  /// No server accepts larger files.
  private static let mostBytes = 128 << 20

  /// Fetches a post's file, unless the archive has it.
  func fetch(_ attachment: Attachment, of post: ArchiveStatus) async {
    guard let url = attachment.url, let path = attachment.archivePath else {
      return report.fail("A file of \(post.uri) has no address.")
    }
    guard folder.file(path) == nil else { return report.count("files") }
    do {
      try folder.write(try await bytes(at: url), to: path)
      report.count("files")
      report.progress("Fetched \(url)")
    } catch {
      report.fail("A file of \(post.uri) is missing. \(AppError(error).sentence)")
    }
  }

  /// Fetches a picture of the profile. Returns its path in the archive.
  func picture(_ url: String?, named name: String) async -> String? {
    guard let url, !Self.isGenerated(url) else { return nil }
    do {
      let bytes = try await bytes(at: url)
      let type = MediaType.ofFile(named: url, startingWith: bytes)
      let ending = type == "image/jpeg" ? "jpg" : type?.split(separator: "/").last.map(String.init)
      let path = "\(name).\(ending ?? "png")"
      try folder.write(bytes, to: path)
      return path
    } catch {
      report.fail("The \(name) is missing. \(AppError(error).sentence)")
      return nil
    }
  }

  /// Whether a picture stands for a missing one: Qwinkle's service draws initials, Mastodon has a file of that name.
  private static func isGenerated(_ url: String) -> Bool {
    guard let path = WebAddress(url)?.target.split(separator: "?").first?.split(separator: "/") else { return false }
    return path.last == "missing.png" || path.count == 2 && (path[0] == "avatars" || path[0] == "headers")
  }

  private func bytes(at url: String) async throws -> [UInt8] {
    guard let media else { throw AppError.failed("This session fetches no files.") }
    let outcome = await media.fetch(url, after: nil, isByKey: true, mostBytes: Self.mostBytes, kind: .any)
    switch outcome {
    case .whole(let bytes): return bytes
    case .broken(let error, _): throw AppError.failed("Can't fetch \(url): \(error.words).")
    }
  }
}

extension MediaError {
  /// The reason in words.
  fileprivate var words: String {
    switch self {
    case .refused: "it is not a safe address"
    case .status(let status): "the server answered with \(status)"
    case .tooLarge: "it is too large"
    case .type(let type): "it is of the type \(type)"
    case .tooManyRedirects: "too many redirects"
    case .transport:
      switch trouble {
      case .cancelled: "cancelled"
      case .notReachable: "the server can't be reached"
      case .other(let reason): reason
      }
    }
  }
}
