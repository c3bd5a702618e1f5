import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

extension ArchiveExport {
  private static let pageSize = 40
  /// Largest number of posts that servers return by their ids.
  private static let mostByID = 20
  /// An export stops after this many consecutive pages without a new post, because some servers repeat pages.
  private static let mostIdlePages = 3

  /// Fetches the pages of the user's posts, direct ones too. Continues an unfinished export.
  func fetchPosts(of id: Qwinker.ID, _ state: ExportState) async throws {
    var known: Set<String> = []
    try state.forEach { _, json in
      if let id = try? WireDecoder.archiveStatus(from: json).id { known.insert(id) }
    }
    if !known.isEmpty {
      report.progress("Continuing after \(known.count) posts.")
      try await fetchNewer(of: id, known: &known, state)
    }
    if state.progress.isComplete { return }
    var cursor = state.progress.cursor.map(PageCursor.init)
    var idlePages = 0
    repeat {
      let page = try await server.patientAnswer(
        to: .timelineWithDirect(.qwinker(id), at: cursor, limit: Self.pageSize))
      let posts = newPosts(page, &known).posts
      idlePages = posts.isEmpty ? idlePages + 1 : 0
      cursor = idlePages == Self.mostIdlePages ? nil : page.older
      try state.add(posts, next: cursor)
      report.progress("\(known.count) posts")
      if page.damagedCount > 0 { report.fail("The server sent \(page.damagedCount) malformed posts.") }
    } while cursor != nil
  }

  /// Fetches the posts since the first run.
  private func fetchNewer(of id: Qwinker.ID, known: inout Set<String>, _ state: ExportState) async throws {
    var cursor: PageCursor?
    var pages: [[[UInt8]]] = []
    var idlePages = 0
    repeat {
      let page = try await server.patientAnswer(
        to: .timelineWithDirect(.qwinker(id), at: cursor, limit: Self.pageSize))
      let (posts, knownCount) = newPosts(page, &known)
      pages.append(posts)
      idlePages = posts.isEmpty ? idlePages + 1 : 0
      // One known post doesn't end the new ones: some servers list pinned posts above them.
      let isKnown = posts.isEmpty && knownCount > 0
      cursor = isKnown || idlePages == Self.mostIdlePages ? nil : page.older
    } while cursor != nil
    try state.addNewer(pages)
  }

  /// Returns the posts of a page that aren't in `known`, and the number of the others. Posts that can't be exported are
  /// in neither.
  private func newPosts(_ page: Page<Qwink>, _ known: inout Set<String>) -> (posts: [[UInt8]], knownCount: Int) {
    var posts: [[UInt8]] = []
    var knownCount = 0
    for entry in page.entries {
      if let post = try? WireDecoder.archiveStatus(from: entry.source) {
        if known.insert(post.id).inserted { posts.append(entry.source) } else { knownCount += 1 }
      } else {
        report.fail("A post can't be exported: \(entry.item.url ?? entry.item.id.rawValue)")
      }
    }
    return (posts, knownCount)
  }

  /// Fetches the files of the posts, then writes `outbox.json`, oldest post first.
  func writePosts(_ state: ExportState, _ owner: ArchiveOwner) async throws {
    var entries: [ExportState.Entry] = []
    var parents: [String: String?] = [:]
    try state.forEach { offset, json in
      guard let post = try? WireDecoder.archiveStatus(from: json) else { return }
      let time = Int64(post.createdAt.timeIntervalSince1970 * 1000)
      entries.append(.init(offset: offset, length: json.count, time: time))
      if let parent = post.parent, post.boosted == nil { parents[parent] = .some(nil) }
    }
    entries.sort { ($0.time, $1.offset) < ($1.time, $0.offset) }
    for entry in entries {
      let json = try state.post(entry)
      guard let post = try? WireDecoder.archiveStatus(from: json) else { continue }
      if post.boosted == nil { for attachment in post.attachments { await fetch(attachment, of: post) } }
      if parents[post.id] != nil { parents[post.id] = post.uri }
    }
    try await findParents(&parents)
    let file = try folder.writer(of: "outbox.json")
    let start =
      #"{"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json","type":"OrderedCollection","#
      + #""totalItems":\#(entries.count),"orderedItems":["#
    try file.write(Array(start.utf8))
    for (index, entry) in entries.enumerated() {
      let json = try state.post(entry)
      guard let post = try? WireDecoder.archiveStatus(from: json) else { continue }
      let activity = WireEncoder.activity(post, by: owner, parent: post.parent.flatMap { parents[$0] ?? nil }) {
        guard let path = $0.archivePath, folder.file(path) != nil else { return nil }
        return path
      }
      try file.write((index == 0 ? [] : [UInt8(ascii: ",")]) + [0x0A] + activity)
      report.count(post.boosted == nil ? "posts" : "boosts")
    }
    try file.write(Array("\n]}\n".utf8))
    try file.finish()
  }

  /// Finds the addresses of the posts of others that the user replied to. Deleted posts have none.
  private func findParents(_ parents: inout [String: String?]) async throws {
    let missing = parents.filter { $0.value == nil }.map(\.key).sorted()
    var answersLists = true
    for start in stride(from: 0, to: missing.count, by: Self.mostByID) {
      let ids = missing[start..<min(start + Self.mostByID, missing.count)].map { Qwink.ID($0) }
      var found: [[UInt8]] = []
      do throws(DownloadError) {
        if answersLists { found = try await server.patientAnswer(to: .qwinks(ids)).entries.map(\.source) }
      } catch {
        if error.mayPass { throw error }
        answersLists = false
      }
      if !answersLists {
        for id in ids {
          do throws(DownloadError) {
            found.append(try await server.patientAnswer(to: Request<Qwink>.qwink(id).sourced).json)
          } catch {
            if error.mayPass { throw error }
          }
        }
      }
      for json in found {
        guard let post = try? WireDecoder.archiveStatus(from: json) else { continue }
        parents[post.id] = post.uri
      }
      report.progress("\(min(start + Self.mostByID, missing.count)) of \(missing.count) posts that you replied to")
    }
  }
}
