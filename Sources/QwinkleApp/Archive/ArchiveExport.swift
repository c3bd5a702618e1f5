import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// Writes the user's data in the form of Mastodon's archive, through the client API.
@MainActor
final class ArchiveExport {
  private static let pageSize = 40

  let server: AccountConnection
  let media: MediaService?
  let folder: ArchiveFolder
  let report: ArchiveReport

  init(_ server: AccountConnection, _ media: MediaService?, to folder: ArchiveFolder, _ report: ArchiveReport) {
    self.server = server
    self.media = media
    self.folder = folder
    self.report = report
  }

  func run() async throws {
    let account = try await server.patientAnswer(to: Request<OwnAccount>.ownAccount.sourced)
    let domain = server.archiveDomain(try await server.patientAnswer(to: Request<ServerInfo>.serverInfo))
    let qwinker = account.answer.qwinker
    let owner = ArchiveOwner(
      id: try WireDecoder.archiveID(ofAccount: account.json), handle: Self.handle(qwinker.handle, domain))
    try folder.make()
    if let old = folder.bytes("actor.json", most: 1 << 20).flatMap({ try? WireDecoder.archivedProfile(from: $0) }) {
      guard old.owner.id == owner.id else {
        throw AppError.failed("\(folder.path) has an export of @\(old.owner.handle). Name another folder.")
      }
    }
    let state = try ExportState(folder, owner: owner.id)
    let avatar = await picture(qwinker.avatarURL, named: "avatar")
    let header = await picture(qwinker.headerURL, named: "header")
    let profile = try WireEncoder.archivedProfile(of: owner, account: account.json, avatar: avatar, header: header)
    try folder.write(profile, to: "actor.json")
    try await writePeople(of: qwinker.id, domain)
    try await writeReferences()
    try await optional("filters") {
      let filters = try await server.patientAnswer(to: Request<[ContentFilter]>.filters.sourced)
      try folder.write(JSONParts.readable(filters.json), to: "filters.json")
      report.count("filters", filters.answer.count)
    }
    try await fetchPosts(of: qwinker.id, state)
    try await writePosts(state, owner)
    state.finish()
  }

  /// Returns a handle with its domain.
  static func handle(_ handle: String, _ domain: String) -> String {
    handle.contains("@") ? handle : "\(handle)@\(domain)"
  }

  /// Runs a part that some servers don't support. A part that the server refuses is a failure of that part.
  private func optional(_ name: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as DownloadError where error.isOfUnknownCall {
      report.progress("Left out \(name): \(error.sentence)")
    } catch let error as DownloadError where !error.mayPass {
      report.fail("No \(name): \(error.sentence)")
    }
  }

  // MARK: People

  private func people(_ name: QwinkerListName) async throws -> [Qwinker] {
    var list = PagedList<Qwinker>(
      first: { .qwinkers(name, limit: $0) }, page: { .qwinkersPage($0) }, id: { $0.id })
    list.isPatient = true
    return try await list.items(.max, from: server)
  }

  private func writePeople(of id: Qwinker.ID, _ domain: String) async throws {
    try await optional("follows") {
      let follows = try await people(.following(id))
      let relations = try await relationships(follows.map(\.id))
      let rows = follows.map { qwinker in
        let relation = relations[qwinker.id]
        return [
          Self.handle(qwinker.handle, domain), String(relation?.showsBoosts ?? true),
          String(relation?.isNotifying ?? false), (relation?.languages ?? []).joined(separator: ", "),
        ]
      }
      let header = ["Account address", "Show boosts", "Notify on new posts", "Languages"]
      try write([header] + rows, to: "following_accounts.csv")
      report.count("follows", follows.count)
    }
    try await optional("followers") {
      let followers = try await people(.followers(id))
      let rows = followers.map { [Self.handle($0.handle, domain)] }
      try write([["Account address"]] + rows, to: "followers.csv")
      report.count("followers", followers.count)
    }
    try await optional("mutes") {
      let muted = try await people(.muted)
      let relations = try await relationships(muted.map(\.id))
      let rows = muted.map {
        [Self.handle($0.handle, domain), String(relations[$0.id]?.mutesNotifications ?? true)]
      }
      try write([["Account address", "Hide notifications"]] + rows, to: "muted_accounts.csv")
      report.count("mutes", muted.count)
    }
    try await optional("blocks") {
      let blocked = try await people(.blocked)
      try write(blocked.map { [Self.handle($0.handle, domain)] }, to: "blocked_accounts.csv")
      report.count("blocks", blocked.count)
    }
    try await optional("lists") {
      let lists = try await server.patientAnswer(to: Request<[PersonalList]>.lists)
      var rows: [[String]] = []
      for list in lists {
        rows += try await people(.members(list.id)).map { [list.title, Self.handle($0.handle, domain)] }
      }
      try write(rows, to: "lists.csv")
      report.count("lists", lists.count)
    }
  }

  private func write(_ rows: [[String]], to name: String) throws {
    try folder.write(rows.flatMap(CSVTable.line), to: name)
  }

  /// Returns the relationships, as far as the server reports them. Throws if the same question may succeed later.
  private func relationships(_ ids: [Qwinker.ID]) async throws(DownloadError) -> [Qwinker.ID: Relationship] {
    var found: [Qwinker.ID: Relationship] = [:]
    for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
      let part = Array(ids[start..<min(start + Self.pageSize, ids.count)])
      do throws(DownloadError) {
        for relationship in try await server.patientAnswer(to: Request<[Relationship]>.relationships(part)) {
          found[relationship.id] = relationship
        }
      } catch {
        if error.isTransient || error.isCancelled { throw error }
      }
    }
    return found
  }

  // MARK: Favourites and bookmarks

  private func writeReferences() async throws {
    let lists: [(TimelineName, String, String)] = [
      (.favourites, "favourites", "likes"), (.bookmarks, "bookmarks", "bookmarks"),
    ]
    for (name, words, file) in lists {
      try await optional(words) {
        var list = PagedList<Qwink>(
          first: { .timeline(name, limit: $0) }, page: { .timelinePage(name, $0) }, id: { $0.rowID })
        list.isPatient = true
        var addresses: [String] = []
        try await list.read(.max, from: server) { items in
          addresses += items.compactMap { try? WireDecoder.archiveStatus(from: $0.source).uri }
        }
        let collection = JSONWriter.bytes { writer in
          writer.object { writer in
            writer.field("@context", "https://www.w3.org/ns/activitystreams")
            writer.field("id", "\(file).json")
            writer.field("type", "OrderedCollection")
            writer.field("totalItems", addresses.count)
            writer.field("orderedItems", addresses)
          }
        }
        try folder.write(collection, to: "\(file).json")
        if name == .bookmarks { try write(addresses.map { [$0] }, to: "bookmarks.csv") }
        report.count(words, addresses.count)
      }
    }
  }
}
