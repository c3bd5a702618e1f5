import FoundationEssentials
import OnDemandResources
import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// What is kept of pictures, themes and keymaps, tag by tag, and what is on its way, which can be paused and cancelled.
@MainActor
final class ResourcesViewController: ListViewController<ResourceStatus> {
  private let account: Account
  private let managers: [ResourceManager]
  /// What is loaded by a key here.
  private var loads: [ResourceTag: ResourceRequest] = [:]

  init(account: Account, managers: [ResourceManager]) {
    self.account = account
    self.managers = managers
    super.init(title: ResourceWords.title)
    for manager in managers { manager.addObserver(self) }
    on(.loadResource, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.load() }
    on(.pauseResource, when: { [weak self] in self?.isPending ?? false }) { [weak self] in self?.pauseOrResume() }
    on(.cancelResource, when: { [weak self] in self?.isPending ?? false }) { [weak self] in self?.cancel() }
    on(.purgeResource, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.purgeSelected() }
    on(.purgeResources, when: { [weak self] in self?.rows.isEmpty == false }) { [weak self] in self?.askToPurge() }
    keyContext = .resources
    updateWords()
  }

  override var hasOlderRows: Bool { false }

  override var hints: [Action] {
    guard let selected = selectedRow else { return [.back] }
    let own: [Action] =
      switch selected.state {
      case .notHere: [.loadResource]
      case .loading, .paused: [.pauseResource, .cancelResource]
      case .here, .inUse: [.purgeResource]
      }
    return own + [.purgeResources, .back]
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

  override func didSelectRow() { navigator?.statusDidChange(of: self) }

  override func viewDidAppear() {
    super.viewDidAppear()
    for manager in managers { manager.load() }
    read()
  }

  override func refresh() { read() }

  override func placeKey(of row: ResourceStatus) -> String? { row.tag.name }

  override var placeholder: PlaceholderWords.Lines {
    PlaceholderWords.nothing(ResourceWords.none, ("q", "goes back"))
  }

  override var footer: [TextRun<StyleRole>] {
    guard !managers.isEmpty else { return [] }
    func sum(_ bytes: (ResourceManager) -> Int) -> Int { managers.reduce(0) { $0 + bytes($1) } }
    return [
      TextRun(
        ResourceWords.sums(
          count: rows.count, onDisk: sum(\.bytesOnDisk), inUse: sum(\.bytesInUse), limit: sum(\.limits.onDisk)), .dim)
    ]
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let status = rows[index]
    let (now, zone) = (account.clock.now, account.timeZone)
    return LinesCell { _ in
      [
        CellLine(
          column: CellLine.avatarColumn,
          runs: [TextRun(status.tag.name, .name), TextRun("  \(ResourceWords.state(status.state))", .dim)],
          trailing: [
            TextRun(ResourceWords.size(status.byteCount), .dim),
            TextRun("  " + ResourceWords.priority(status.preservationPriority) + "  ", .dim),
            CellLine.padded(status.usedAt.map { RelativeTime.short($0, at: now, in: zone) } ?? ""),
          ])
      ]
    }
  }

  private func read() {
    let statuses = managers.flatMap { manager in manager.tags.map(manager.status) }
    guard statuses != rows else { return updateWords() }
    showKeepingSelection(statuses)
    if selectedIndex == nil { select(0) }
    list.reloadCells()
    updateWords()
    navigator?.statusDidChange(of: self)
  }

  // MARK: Actions

  /// Who has a tag.
  private func owner(of tag: ResourceTag) -> ResourceManager? { managers.first { $0.tags.contains(tag) } }

  /// Whether the selected one loads or is paused.
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
      // It stays on disk without being held.
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
    Task { [weak self] in
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
