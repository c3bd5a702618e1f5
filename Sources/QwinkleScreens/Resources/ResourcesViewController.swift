import FoundationEssentials
import OnDemandResources
import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import Terminal
import Timekeeping

/// Cached pictures, themes and keymaps by tag, and pending downloads, which the user can pause or cancel.
@MainActor
final class ResourcesViewController: ListViewController<ResourceStatus> {
  private let account: Account
  /// The first manager is the one for pictures.
  private let managers: [ResourceManager]
  private var qwinkIDs: Set<Qwink.ID> = []
  /// The qwinks after which rows are named, by original id. Contains only qwinks that the timelines know.
  private var qwinks: [Qwink.ID: Qwink] = [:]
  /// Requests started with a key on this screen.
  private var loads: [ResourceTag: ResourceRequest] = [:]
  private let shelf: PictureShelf?

  /// - Parameter shelf: The picture shelf, whose downloads continue until this screen disappears.
  init(account: Account, managers: [ResourceManager], shelf: PictureShelf? = nil) {
    self.account = account
    self.managers = managers
    self.shelf = shelf
    super.init(title: ResourceWords.title)
    for manager in managers { manager.addObserver(self) }
    account.addObserver(self)
    shelf?.keepDownloads(for: self)
    on(.loadResource, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.load() }
    on(.pauseResource, when: { [weak self] in self?.isPending ?? false }) { [weak self] in self?.pauseOrResume() }
    on(.cancelResource, when: { [weak self] in self?.isPending ?? false }) { [weak self] in self?.cancel() }
    on(.purgeResource, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.purgeSelected() }
    on(.purgeResources, when: { [weak self] in self?.rows.isEmpty == false }) { [weak self] in self?.askToPurge() }
    on(.keepResourceLonger, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.keep(by: 1) }
    on(.keepResourceShorter, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.keep(by: -1) }
    keyContext = .resources
  }

  override var hasOlderRows: Bool { false }

  override var hints: [Action] {
    guard let selected = selectedRow else { return [.back] }
    let own: [Action] =
      switch selected.state {
      case .notHere: [.loadResource]
      case .loading, .paused: [.pauseResource, .cancelResource]
      case .here, .inUse: [.purgeResource, .keepResourceLonger, .keepResourceShorter]
      }
    return own + (rows.contains { $0.byteCount > 0 } ? [.purgeResources] : []) + [.back]
  }

  override var status: ScreenStatus {
    var status = super.status
    switch selectedRow?.state {
    case .loading(let fraction): status.progress = PictureWords.loading(fraction)
    case .paused: status.words[.pauseResource] = ResourceWords.resume
    case .notHere, .here, .inUse, nil: break
    }
    return status
  }

  override func viewDidAppear() {
    super.viewDidAppear()
    shelf?.keepDownloads(for: self)
    for manager in managers { manager.load() }
    read()
  }

  override func viewDidDisappear() {
    super.viewDidDisappear()
    shelf?.endDownloads(for: self)
  }

  override func refresh() { read() }

  override func placeKey(of row: ResourceStatus) -> String? { row.tag.name }

  override var placeholder: PlaceholderWords.Lines {
    PlaceholderWords.nothing(ResourceWords.none, PlaceholderWords.goesBack)
  }

  override var footer: [TextRun<StyleRole>] {
    guard let pictures = managers.first else { return [] }
    func sum(_ bytes: (ResourceManager) -> Int) -> Int { managers.reduce(0) { $0 + bytes($1) } }
    return [
      TextRun(
        ResourceWords.sums(
          count: rows.count, onDisk: sum(\.bytesOnDisk), inUse: sum(\.bytesInUse), limit: pictures.limits.onDisk), .dim)
    ]
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let status = rows[index]
    let (now, zone) = (account.clock.now, account.timeZone)
    let name = rowName(of: status.tag)
    let reason = ResourceWords.reason(status) { self.name(of: $0) }
    return LinesCell { columns in
      let state = TextRun("  \(ResourceWords.state(status.state))", StyleRole.dim)
      var trailing = [TextRun(ResourceWords.size(status.byteCount), StyleRole.dim)]
      if SizeClass(columns: columns) != .compact {
        trailing += [
          TextRun("  " + ResourceWords.priority(status.preservationPriority) + "  ", .dim),
          CellLine.padded(status.usedAt.map { RelativeTime.short($0, at: now, in: zone) } ?? ""),
        ]
      }
      // The state matters more than the full name, and the name matters more than the size.
      func room() -> Int {
        CellLine.room(column: CellLine.avatarColumn, columns: columns, trailing: trailing) - CellLine.width([state])
      }
      if room() < Self.fewestColumnsOfName { trailing = [] }
      let runs = [TextRun(DisplayWidth.truncated(name, to: max(1, room())), StyleRole.name), state]
      let first = CellLine(column: CellLine.avatarColumn, runs: runs, trailing: trailing)
      guard let reason else { return [first] }
      let room = max(1, columns - Self.reasonColumn)
      let second = [TextRun(DisplayWidth.truncated(reason, to: room), StyleRole.dim)]
      return [first, CellLine(column: Self.reasonColumn, runs: second)]
    }
  }

  /// The name for places that have no room for a post's text: other words follow, and the status bar would grow.
  private func name(of tag: ResourceTag) -> String {
    tag.qwink.map { ResourceWords.name($0.part, of: qwinks[$0.id]) } ?? tag.name
  }

  private func rowName(of tag: ResourceTag) -> String {
    guard let (part, id) = tag.qwink else { return tag.name }
    let qwink = qwinks[id]
    return ResourceWords.name(part, of: qwink, under: qwink.flatMap { account.disclosure(of: $0, in: nil).cover })
  }

  private static let fewestColumnsOfName = 8
  private static let reasonColumn = CellLine.avatarColumn + 2

  /// Finds the qwinks with these ids among the known qwinks. Does nothing if the ids are unchanged, because this method
  /// is called for every step of a download.
  private func findQwinks(_ ids: Set<Qwink.ID>) {
    guard ids != qwinkIDs else { return }
    qwinkIDs = ids
    let known = account.timelines.knownQwinks.filter { ids.contains($0.originalID) }
    qwinks = Dictionary(known.map { ($0.originalID, $0.original) }) { first, _ in first }
  }

  private func read() {
    let statuses = managers.flatMap(\.statuses)
    guard statuses != rows else { return updateWords() }
    findQwinks(Set((statuses.map(\.tag) + statuses.compactMap(\.keptBy)).compactMap { $0.qwink?.id }))
    showKeepingSelection(statuses)
    list.reloadCells()
  }

  // MARK: Actions

  private func owner(of tag: ResourceTag) -> ResourceManager? { managers.first { $0.tags.contains(tag) } }

  /// Whether the selected resource is loading or paused.
  private var isPending: Bool {
    switch selectedRow?.state {
    case .loading, .paused: true
    case .notHere, .here, .inUse, nil: false
    }
  }

  private func load() {
    guard let selected = selectedRow, loads[selected.tag] == nil, let manager = owner(of: selected.tag) else { return }
    switch selected.state {
    case .notHere: break
    case .loading, .paused: return
    case .here, .inUse: return say(ResourceWords.isHere)
    }
    let tag = selected.tag
    let request = manager.request([tag], loadingPriority: ResourceRequest.urgent, isByKey: true)
    loads[tag] = request
    request.begin { [weak self] error in
      // After the request has ended, the resource stays on disk, but it can be purged.
      self?.loads.removeValue(forKey: tag)?.end()
      self?.read()
      switch error {
      case .cancelled: break
      case nil: self?.say(ResourceWords.loaded)
      case let error?: self?.navigator?.say(ResourceWords.failed(error.sentence), .warning)
      }
    }
    read()
  }

  private func pauseOrResume() {
    guard let tag = selectedRow?.tag, let manager = owner(of: tag) else { return }
    if manager.pause(tag) {
      say(ResourceWords.paused)
    } else if manager.resume(tag) {
      say(ResourceWords.resumed)
    }
    read()
  }

  private func cancel() {
    guard let tag = selectedRow?.tag, let manager = owner(of: tag), manager.cancel(tag) else { return }
    say(ResourceWords.cancelled)
    read()
  }

  /// Changes the priority of the selected tag by `step` tenths. It is saved for later runs.
  private func keep(by step: Int) {
    guard let tag = selectedRow?.tag, let manager = owner(of: tag) else { return }
    let level = ResourceWords.level(manager.preservationPriority(of: tag))
    let most = Preservation.range.upperBound
    let new = min(max(level + step, Preservation.range.lowerBound), most)
    guard new != level else { return say(step > 0 ? ResourceWords.isHighest : ResourceWords.isLowest) }
    let priority = Double(new) / Double(most)
    manager.choosePreservationPriority(priority, for: tag)
    read()
    say(ResourceWords.chosen(name(of: tag), priority))
  }

  private func say(_ words: String) { navigator?.say(words, .dim) }

  private func purgeSelected() {
    guard let tag = selectedRow?.tag, let manager = owner(of: tag) else { return }
    purge { await manager.purge(tag) }
  }

  private func askToPurge() {
    let managers = managers
    navigator?.ask(ResourceWords.question, again: nil) { [weak self] in
      self?.purge {
        var bytes = 0
        for manager in managers { bytes += await manager.purge() }
        return bytes
      }
    }
  }

  private func purge(_ body: @escaping @MainActor () async -> Int) {
    account.connection.task("deleting cached files") { [weak self] in
      let bytes = await body()
      self?.read()
      self?.navigator?.say(ResourceWords.purged(bytes), .dim)
    }
  }
}

extension ResourcesViewController: ResourceObserver {
  func resourcesDidChange(_ manager: ResourceManager) {
    if isOnScreen { read() }
  }
}

extension ResourcesViewController: AccountObserver {}
