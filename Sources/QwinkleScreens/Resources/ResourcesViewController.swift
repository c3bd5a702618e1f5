import FoundationEssentials
import OnDemandResources
import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// What is kept of pictures, tag by tag, and what is on its way.
@MainActor
final class ResourcesViewController: ListViewController<ResourceStatus> {
  private let account: Account
  private let manager: ResourceManager?

  init(account: Account, shelf: PictureShelf?) {
    self.account = account
    manager = shelf?.resources
    super.init(title: ResourceWords.title)
    manager?.addObserver(self)
    on(.purgeResource, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.purgeSelected() }
    on(.purgeResources, when: { [weak self] in self?.rows.isEmpty == false }) { [weak self] in self?.askToPurge() }
    keyContext = .resources
    updateWords()
  }

  override var hasOlderRows: Bool { false }

  override var hints: [Action] { rows.isEmpty ? [.back] : [.purgeResource, .purgeResources, .back] }

  override func didSelectRow() { navigator?.statusDidChange(of: self) }

  override func viewDidAppear() {
    super.viewDidAppear()
    manager?.load()
    read()
  }

  override func refresh() { read() }

  override func placeKey(of row: ResourceStatus) -> String? { row.tag.name }

  override var placeholder: PlaceholderWords.Lines {
    PlaceholderWords.nothing(ResourceWords.none, ("q", "goes back"))
  }

  override var footer: [TextRun<StyleRole>] {
    guard let manager else { return [] }
    return [
      TextRun(
        ResourceWords.sums(
          count: rows.count, onDisk: manager.bytesOnDisk, inUse: manager.bytesInUse, limit: manager.limits.onDisk), .dim
      )
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
    guard let manager else { return }
    let statuses = manager.tags.map(manager.status)
    guard statuses != rows else { return updateWords() }
    showKeepingSelection(statuses)
    if selectedIndex == nil { select(0) }
    list.reloadCells()
    updateWords()
  }

  private func purgeSelected() {
    guard let manager, let tag = selectedRow?.tag else { return }
    purge { await manager.purge(tag) }
  }

  private func askToPurge() {
    guard let manager else { return }
    navigator?.ask(ResourceWords.question, again: nil) { [weak self] in self?.purge { await manager.purge() } }
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
