import ArgumentParser
import Foundation
import OnDemandResources
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import QwinkleStore
import QwinkleWire
import Timekeeping

/// `qwinkle resources`: lists and purges cached pictures, themes and keymaps.
struct ResourcesCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "resources", abstract: "List cached pictures, themes and keymaps by tag, or purge them.",
    discussion: """
      Each line has a tag, the size, the priority for staying in the cache, and the time of the last use. The option \
      preserve sets the priorities. On the screen, :resources lists the same, and shows which screens use a file. A \
      running Qwinkle fetches purged files again when it needs them. No network is needed.
      """)

  @Argument(help: ArgumentHelp("Only this tag, such as \"avatar @bob\".", valueName: "tag"))
  var tag: String?

  @Flag(help: "Purge the listed files.")
  var purge = false

  @Flag(help: "Print an array of objects: tag, bytes, priority from 0 to 10, used_at.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run {
      let stage = CommandStage.current ?? CommandStage()
      let caches = try await ResourceCaches(options.choice, stage)
      if purge { return try await purge(caches) }
      let statuses = try chosen(caches.statuses)
      if json { return StandardOutput.print(json: PlainResource.json(statuses)) }
      let style = PlainStyle(stage.clock)
      for status in statuses { StandardOutput.print(PlainResource.row(status, style), wraps: false) }
      if statuses.isEmpty { StandardOutput.remark(onEmptyList: "Nothing is cached.") }
    }
  }

  private func chosen(_ statuses: [ResourceStatus]) throws -> [ResourceStatus] {
    guard let tag else { return statuses }
    let chosen = statuses.filter { $0.tag.name == tag }
    guard !chosen.isEmpty else { throw AppError.failed("No cached files of “\(tag)”. List: qwinkle resources") }
    return chosen
  }

  @MainActor
  private func purge(_ caches: ResourceCaches) async throws {
    let statuses = try chosen(caches.statuses)
    let bytes = await caches.purge(tag.map { ResourceTag($0) })
    if json { return StandardOutput.print(json: PlainResource.json(statuses)) }
    StandardOutput.print(bytes == 0 ? "Nothing to purge" : ResourceWords.purged(bytes))
  }
}

/// The caches of an account's pictures, and of themes and keymaps from the web. Nothing is fetched.
@MainActor
private struct ResourceCaches {
  private let managers: [ResourceManager]

  init(_ choice: SessionChoice, _ stage: CommandStage) async throws {
    let folder = try Self.folder(choice, stage)
    let files = [
      ResourceFiles(directory: "\(stage.paths.cache)/\(folder)/resources"), ConfigCenter.webFiles(in: stage.paths),
    ]
    let preservation = UserConfig.preservation(of: folder, stage.paths)
    managers = files.filter(\.exists).map { files in
      let manager = ResourceManager(index: files, fetcher: NoFetcher(), clock: stage.clock, ledger: stage.ledger)
      manager.standardPreservationPriority = { $0.priority(by: preservation) }
      return manager
    }
    for manager in managers { await manager.loaded() }
  }

  /// The files' tags, without tags whose files aren't on disk.
  var statuses: [ResourceStatus] { managers.flatMap(\.statuses).filter { $0.byteCount > 0 } }

  /// Purges a tag's files, or all. Returns the number of bytes freed.
  func purge(_ tag: ResourceTag?) async -> Int {
    var bytes = 0
    for manager in managers where tag.map(manager.tags.contains) ?? true { bytes += await manager.purge(tag) }
    return bytes
  }

  private static func folder(_ choice: SessionChoice, _ stage: CommandStage) throws -> String {
    if let folder = try stage.owner(of: choice)?.folder ?? stage.sessionFolder { return folder }
    let session = try AccountSession.begin(choice, paths: stage.paths, clock: stage.clock, ledger: stage.ledger)
    return session.accountFolder
  }
}

private struct NoFetcher: ResourceFetching {
  @concurrent func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int,
    didReceive: @escaping @Sendable (ResourceAmount) -> Void
  ) async -> ResourceFetchResult { .broken(.notAllowed, part: nil) }
}

/// Cached files as plain text and as JSON.
private enum PlainResource {
  static func row(_ status: ResourceStatus, _ style: PlainStyle) -> String {
    let used = status.usedAt.map { style.time($0) } ?? "–"
    let priority = "\(ResourceWords.level(status.preservationPriority))/10"
    return [status.tag.name, ResourceWords.size(status.byteCount), priority, used].joined(separator: "  ")
  }

  static func json(_ statuses: [ResourceStatus]) -> [UInt8] { PlainDraft.encoded(statuses.map(Item.init)) }

  private struct Item: Encodable {
    var tag: String
    var bytes: Int
    var priority: Int
    var used_at: String?

    init(_ status: ResourceStatus) {
      tag = status.tag.name
      bytes = status.byteCount
      priority = ResourceWords.level(status.preservationPriority)
      used_at = status.usedAt.map { WireDate.text($0, in: .gmt) }
    }
  }
}
