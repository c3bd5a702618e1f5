import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

extension ArchiveImport {
  /// Largest number of ids in one question to the server.
  private static let batch = 50
  /// An item of `outbox.json` with more bytes isn't a post.
  private static let mostItemBytes = 1 << 20
  private static let pieceBytes = 256 * 1024
  /// Maximum number of posts and boosts in an archive, which bounds the memory for their offsets.
  private static let mostItems = 2_000_000

  /// An item of `outbox.json`, by its offset.
  private struct Item {
    var range: Range<Int>
    var time: Date
  }

  static func boundary() -> String { "qwinkle-\(UUID().uuidString)" }

  /// Imports the user's posts, oldest first, so that each parent precedes its replies.
  func importPosts() async throws {
    guard let file = folder.file("outbox.json") else {
      return report.fail("outbox.json is missing or isn't a file.")
    }
    let items = try items(in: file)
    for start in stride(from: 0, to: items.count, by: Self.batch) {
      let part = items[start..<min(start + Self.batch, items.count)]
      let posts = part.compactMap { post(in: file, at: $0.range) }
      let imported: [String: Qwink.ID]
      do throws(DownloadError) {
        imported = try await importedPosts(posts.map(\.uri))
      } catch {
        guard error.isOfUnknownCall else { throw error }
        let sentence = "Posts aren't imported: only Qwinkle's service can do that. Mastodon's API has no call for it."
        return needsPosts ? report.fail(sentence) : StandardOutput.remark(sentence)
      }
      for post in posts where imported[post.uri] == nil {
        try await item(post.uri) { try await add(post) }
      }
      report.progress("\(start + part.count) of \(items.count) posts and boosts")
    }
  }

  /// Returns the posts that the server has, by their addresses in the archive.
  func importedPosts(_ uris: [String]) async throws(DownloadError) -> [String: Qwink.ID] {
    var imported: [String: Qwink.ID] = [:]
    for start in stride(from: 0, to: uris.count, by: Self.batch) {
      let part = Array(uris[start..<min(start + Self.batch, uris.count)])
      imported.merge(try await server.patientAnswer(to: .importedPosts(part))) { first, _ in first }
    }
    return imported
  }

  private func add(_ post: ArchivedPost) async throws {
    var media: [QwinkleModel.Attachment.ID] = []
    var isRefused = false
    for file in post.files {
      try await item("The file \(file.path) of \(post.uri)") {
        let upload = try upload(file.path, type: file.type, altText: file.altText, focus: file.focus)
        if isTrial { return report.count("files") }
        do throws(DownloadError) {
          media.append(
            try await server.patientAnswer(to: .importFile(upload, boundary: Self.boundary())).attachment.id)
          report.count("files")
        } catch {
          isRefused = true
          throw error
        }
      }
    }
    // A later run imports the post with its file, for example when the quota has room for it. A file that the server
    // never accepts, such as a video, isn't sent, and its post is imported without it.
    if isRefused { return }
    if isTrial {
      triedPosts.insert(post.uri)
    } else {
      _ = try await server.patientAnswer(to: .importPost(post, media: media))
    }
    report.count("posts")
  }

  /// Returns the upload of a file in the archive. Throws if its path could lead outside, or if the server accepts no
  /// file of its type or size. `type` is its type in the archive, if known.
  func upload(
    _ path: String, type: String? = nil, altText: String = "", focus: FocalPoint? = nil
  ) throws(AppError) -> Upload {
    guard let found = folder.file(path), found.byteCount > 0 else {
      throw .failed("The archive has no such file. Links and paths out of the archive aren't followed.")
    }
    let start = (try? found.start(most: 12)) ?? []
    let name = path.split(separator: "/").last.map(String.init) ?? "file"
    let foundType = MediaType.ofFile(named: name, startingWith: start)
    if let refusal = uploads?.refusal(ofType: foundType ?? type, bytes: found.byteCount) {
      throw .failed("\(name) \(refusal).")
    }
    return Upload(name: name, type: foundType, content: .file(found), altText: altText, focus: focus)
  }

  // MARK: Reading

  /// Returns the items of the file, oldest first. Reports items without a time.
  private func items(in file: DiskFile) throws -> [Item] {
    var ranges: [Range<Int>] = []
    var scanner = JSONItemScanner(array: "orderedItems")
    let reader = try Self.reading { () throws(DiskFile.Fault) in try DiskFile.Reader(file) }
    while true {
      let bytes = try Self.reading { () throws(DiskFile.Fault) in try reader.next(most: Self.pieceBytes) }
      if bytes.isEmpty { break }
      scanner.read(bytes) { ranges.append($0) }
      guard ranges.count <= Self.mostItems else {
        throw AppError.failed("outbox.json has more than \(Self.mostItems) items.")
      }
    }
    if ranges.isEmpty, !scanner.foundArray { report.fail("outbox.json has no list of posts.") }
    var items: [Item] = []
    for range in ranges {
      guard let time = bytes(of: file, range).flatMap({ WireDecoder.archivedTime(from: $0) }) else {
        report.fail("An item of outbox.json isn't a post (at byte \(range.lowerBound)).")
        continue
      }
      items.append(Item(range: range, time: time))
    }
    return items.sorted { ($0.time, $0.range.lowerBound) < ($1.time, $1.range.lowerBound) }
  }

  private static func reading<Value>(_ body: () throws(DiskFile.Fault) -> Value) throws(AppError) -> Value {
    do throws(DiskFile.Fault) {
      return try body()
    } catch {
      throw .failed("outbox.json can't be read, or has changed. Try again.")
    }
  }

  /// Returns an item's post. Returns nil for a boost. Reports an item that isn't a post of the archive's owner.
  private func post(in file: DiskFile, at range: Range<Int>) -> ArchivedPost? {
    guard let bytes = bytes(of: file, range),
      let activity = try? WireDecoder.archivedActivity(from: bytes, hasFullNames: !hasSameNames)
    else {
      report.fail("An item of outbox.json isn't a post (at byte \(range.lowerBound)).")
      return nil
    }
    guard case .post(let post) = activity else { return nil }
    guard post.author == profile.owner.id else {
      report.fail("\(post.uri) is by another user.")
      return nil
    }
    return post
  }

  private func bytes(of file: DiskFile, _ range: Range<Int>) -> [UInt8]? {
    guard range.count <= Self.mostItemBytes else { return nil }
    return try? file.bytes(in: range)
  }
}
