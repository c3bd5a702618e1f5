import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// Reads an archive into the signed-in account, through the client API. An item that fails is reported at the end, and
/// the import continues with the next one.
@MainActor
final class ArchiveImport {
  private static let mostFileBytes = 16 << 20
  private static let mostPictureBytes = 16 << 20

  let server: AccountConnection
  let media: MediaService?
  let folder: ArchiveFolder
  let report: ArchiveReport
  let profile: ArchivedProfile
  /// Whether the server's users have the names of the archive's server.
  let hasSameNames: Bool
  /// Whether nothing is changed.
  let isTrial: Bool
  /// Ids of the posts that a trial would have imported.
  var triedPosts: Set<String> = []
  /// Whether it is a failure if the server imports no posts.
  let needsPosts: Bool
  /// The server's limits on files, if known.
  var uploads: ServerInfo.Uploads?
  private var domain = ""
  private var me: Qwinker.ID = ""
  private var found: [String: Qwinker] = [:]

  init(
    _ server: AccountConnection, _ media: MediaService?, from folder: ArchiveFolder, _ report: ArchiveReport,
    hasSameNames: Bool, isTrial: Bool, needsPosts: Bool
  ) throws(AppError) {
    guard folder.exists else { throw .failed("\(folder.path) isn't a folder. Unpack the archive first.") }
    guard let actor = folder.bytes("actor.json", most: 1 << 20) else {
      throw .failed("\(folder.path) isn't an archive: it has no readable actor.json.")
    }
    guard let profile = try? WireDecoder.archivedProfile(from: actor) else {
      throw .failed("\(folder.path)/actor.json isn't the profile of an archive.")
    }
    self.server = server
    self.media = media
    self.folder = folder
    self.report = report
    self.profile = profile
    self.hasSameNames = hasSameNames
    self.isTrial = isTrial
    self.needsPosts = needsPosts
  }

  func run(_ parts: [ArchivePart]) async throws {
    let info = try await server.patientAnswer(to: Request<ServerInfo>.serverInfo)
    domain = server.archiveDomain(info)
    uploads = info.limits.uploads
    me = try await server.patientAnswer(to: .ownAccount).qwinker.id
    for part in parts {
      do {
        switch part {
        case .profile: try await importProfile()
        case .posts: try await importPosts()
        case .follows: try await importFollows()
        case .lists: try await importLists()
        case .mutes: try await importMutes()
        case .blocks: try await importBlocks()
        case .bookmarks: try await importBookmarks()
        case .filters: try await importFilters()
        }
      } catch let error as DownloadError where !error.mayPass {
        report.fail("No \(part.rawValue): \(error.sentence)")
      }
    }
  }

  /// Runs `body` for one item. A failure that only concerns the item is reported.
  func item(_ name: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as DownloadError where error.mayPass {
      throw error
    } catch FindingError.failed(let error) where error.mayPass {
      throw error
    } catch let error as FindingError {
      report.fail("\(name): \(error.sentence)")
    } catch {
      report.fail("\(name): \(AppError(error).sentence)")
    }
  }

  /// Changes something on the server and then counts it. A trial only counts it.
  private func change(_ name: String, _ write: () async throws -> Void) async throws {
    if !isTrial { try await write() }
    report.count(name)
  }

  // MARK: Profile

  private func importProfile() async throws {
    let old = try await server.patientAnswer(to: .ownProfile)
    var new = old
    new.displayName = profile.displayName.isEmpty ? old.displayName : profile.displayName
    new.note = profile.note
    if old.fields != nil { new.fields = profile.fields.map { .init(name: $0.name, value: $0.value) } }
    if new != old {
      try await item("The profile") {
        try await change("profile") { _ = try await server.patientAnswer(to: .setOwnProfile(new, changing: old)) }
      }
    }
    let account = try await server.patientAnswer(to: .ownAccount).qwinker
    let pictures: [(OwnProfile.Picture, String?, String?)] = [
      (.avatar, profile.avatar, account.avatarURL), (.header, profile.header, account.headerURL),
    ]
    for (picture, path, current) in pictures {
      guard let path else { continue }
      try await item("The \(picture.rawValue)") {
        let upload = try upload(path)
        // An upload of the same picture would change its address.
        if let current, let bytes = folder.bytes(path, most: Self.mostPictureBytes),
          case .whole(bytes) = await media?.fetch(
            current, after: nil, isByKey: true, mostBytes: Self.mostPictureBytes)
        {
          return
        }
        try await change("pictures of the profile") {
          _ = try await server.patientAnswer(to: .setPicture(picture, to: upload, boundary: Self.boundary()))
        }
      }
    }
  }

  // MARK: Users

  /// Returns the user with an address of the archive.
  private func qwinker(_ address: String) async throws -> Qwinker {
    let parts = address.split(separator: "@")
    guard parts.count == 1 || parts.count == 2, let name = parts.first, Handle.reading("@\(address)") != nil else {
      throw AppError.failed("This isn't the address of a user.")
    }
    let host = parts.count == 2 ? Qwinker.hostForm(String(parts[1])) : nil
    let isFormer = hasSameNames && host == Qwinker.hostForm(profile.owner.domain)
    if let host, !isFormer, Self.isOnlyLocal(host) {
      throw AppError.failed(
        "@\(address) is a user of one host only. With --same-names, the user with this name here replaces such users.")
    }
    let isHere = host == nil || isFormer || host == Qwinker.hostForm(domain)
    let wanted = isHere ? String(name) : address
    if let known = found[wanted] { return known }
    let qwinker = try await server.patientQwinker(named: "@\(wanted)")
    found[wanted] = qwinker
    return qwinker
  }

  /// Whether several servers can have this host, so that an address doesn't identify one user. All shared timelines
  /// have the same host.
  private static func isOnlyLocal(_ host: String) -> Bool {
    !host.contains(".") || LoopbackHost.contains(host) || PrivateAddress.contains(host)
  }

  /// Returns the rows of a CSV file whose first or, without a header, only column has addresses.
  private func rows(_ name: String, hasHeader: Bool) -> [[String]] {
    guard let bytes = folder.bytes(name, most: Self.mostFileBytes) else {
      if folder.contains(name) { report.fail("\(name) is too large, or isn't a file in the archive.") }
      return []
    }
    let rows = CSVTable.rows(bytes)
    let isHeader = rows.first?.first?.contains("@") == false
    return Array(hasHeader && isHeader ? rows.dropFirst() : rows[...])
  }

  private func importFollows() async throws {
    let rows = rows("following_accounts.csv", hasHeader: true)
    for (index, row) in rows.enumerated() {
      try await item(row[0]) {
        let qwinker = try await qwinker(row[0])
        if qwinker.id == me { return }
        let options = FollowOptions(
          showsBoosts: row.count > 1 ? row[1].lowercased() != "false" : nil,
          notifies: row.count > 2 ? row[2].lowercased() == "true" : nil,
          languages: row.count > 3 && !row[3].isEmpty ? FollowOptions.languages(in: row[3]) : nil)
        let now = try await server.patientAnswer(to: .relationship(qwinker.id))
        let changes = now.isFollowing ? options.changes(from: now.followOptions) : options
        if now.isRequested || now.isFollowing && changes.isEmpty { return }
        try await change("follows") {
          _ = try await server.patientAnswer(to: .follow(qwinker.id, isOn: true, options: changes))
        }
      }
      report.progress("\(index + 1) of \(rows.count) follows")
    }
  }

  private func importLists() async throws {
    let rows = rows("lists.csv", hasHeader: false).filter { $0.count > 1 }
    if rows.isEmpty { return }
    var lists = try await server.patientAnswer(to: Request<[PersonalList]>.lists)
    var members: [PersonalList.ID: Set<Qwinker.ID>] = [:]
    for row in rows {
      try await item("\(row[1]) in the list \(row[0])") {
        let qwinker = try await qwinker(row[1])
        guard let list = try await list(row[0], &lists) else { return report.count("users in lists") }
        if members[list.id] == nil {
          members[list.id] = Set(try await people(.members(list.id)).map(\.id))
        }
        guard members[list.id, default: []].insert(qwinker.id).inserted else { return }
        try await change("users in lists") {
          try await server.patientAnswer(to: .setMembers([qwinker.id], of: list.id, isOn: true))
        }
      }
    }
  }

  /// Returns the list with this title, and creates a missing list. A trial returns nil for a
  /// missing list.
  private func list(_ title: String, _ lists: inout [PersonalList]) async throws -> PersonalList? {
    if let list = lists.first(where: { $0.title == title }) { return list }
    if isTrial { return nil }
    let list = try await server.patientAnswer(to: .createList(PersonalList(id: "", title: title)))
    lists.append(list)
    return list
  }

  private func people(_ name: QwinkerListName) async throws -> [Qwinker] {
    var list = PagedList<Qwinker>(first: { .qwinkers(name, limit: $0) }, page: { .qwinkersPage($0) }, id: { $0.id })
    list.isPatient = true
    return try await list.items(.max, from: server)
  }

  private func importMutes() async throws {
    for row in rows("muted_accounts.csv", hasHeader: true) {
      try await item(row[0]) {
        let qwinker = try await qwinker(row[0])
        let hides = row.count < 2 || row[1].lowercased() != "false"
        let now = try await server.patientAnswer(to: .relationship(qwinker.id))
        if now.isMuting, now.mutesNotifications == hides { return }
        try await change("mutes") {
          _ = try await server.patientAnswer(to: .mute(qwinker.id, hidesNotifications: hides))
        }
      }
    }
  }

  private func importBlocks() async throws {
    for row in rows("blocked_accounts.csv", hasHeader: true) {
      try await item(row[0]) {
        let qwinker = try await qwinker(row[0])
        if try await server.patientAnswer(to: .relationship(qwinker.id)).isBlocking { return }
        try await change("blocks") { _ = try await server.patientAnswer(to: .block(qwinker.id, isOn: true)) }
      }
    }
  }

  // MARK: Bookmarks and filters

  private func importBookmarks() async throws {
    let addresses = rows("bookmarks.csv", hasHeader: false).map { $0[0] }
    let imported = (try? await importedPosts(addresses)) ?? [:]
    for address in addresses {
      try await item(address) {
        let qwink: Qwink
        if triedPosts.contains(address) { return report.count("bookmarks") }
        if let id = imported[address] {
          qwink = try await server.patientAnswer(to: .qwink(id))
        } else {
          qwink = try await server.patientQwink(named: address)
        }
        if qwink.isBookmarked { return }
        try await change("bookmarks") {
          _ = try await server.patientAnswer(to: .react(qwink.originalID, .bookmark, isOn: true))
        }
      }
    }
  }

  private func importFilters() async throws {
    guard let bytes = folder.bytes("filters.json", most: 1 << 20) else { return }
    guard let filters = try? WireDecoder.filters(from: bytes) else {
      return report.fail("filters.json isn't a list of filters.")
    }
    let titles = Set(try await server.patientAnswer(to: Request<[ContentFilter]>.filters).map(\.title))
    for filter in filters where !titles.contains(filter.title) {
      var new = filter
      new.id = ""
      new.statuses = []
      new.keywords = filter.keywords.map { ContentFilter.Keyword(text: $0.text, isWhole: $0.isWhole) }
      let seconds = filter.expiresAt.map { Int($0.timeIntervalSince(server.clock.now)) }
      if let seconds, seconds <= 0 { continue }
      try await item("The filter \(filter.title)") {
        try await change("filters") { _ = try await server.patientAnswer(to: .createFilter(new, seconds: seconds)) }
      }
    }
  }
}
