import FoundationEssentials
import PaneKit
public import QwinkleAccount
import QwinkleModel
public import QwinkleStore
import Terminal
import Timekeeping

/// All drafts of the account, most recently changed first. Enter continues a draft, `d` discards it.
@MainActor
public final class DraftsViewController: ListViewController<SavedEntry> {
  private let account: Account
  private let store: OutgoingStore?
  private let opener: DraftOpener?
  /// Whether the drafts have been loaded.
  private var isRead = false
  private var failure: StoreError?

  public init(account: Account, store: OutgoingStore?) {
    self.account = account
    self.store = store
    opener = store.map { DraftOpener(account: account, store: $0) }
    super.init(title: OutboxWords.drafts)
    account.addObserver(self)
    on(.delete, when: { [weak self] in self?.selectedRow != nil }, perform: { [weak self] in self?.discard() })
  }

  override var hasOlderRows: Bool { false }

  override var hints: [Action] { rows.isEmpty ? [.compose, .back] : [.open, .delete, .compose, .back] }

  override public var status: ScreenStatus {
    var status = super.status
    status.words = [.open: OutboxWords.continues, .delete: OutboxWords.discards]
    return status
  }

  // MARK: Reading

  override public func viewDidAppear() {
    super.viewDidAppear()
    read()
  }

  override public func refresh() { read() }

  private func read() {
    guard let store else {
      isRead = true
      return updateWords()
    }
    store.list { [weak self] entries, error in self?.take(entries, error) }
  }

  private func take(_ entries: [SavedEntry], _ error: StoreError?) {
    isRead = true
    failure = error
    showKeepingSelection(entries)
    list.reloadCells()
  }

  // MARK: Words

  override var placeholder: PlaceholderWords.Lines {
    guard account.isSignedIn else { return PlaceholderWords.needsAccount(OutboxWords.needsAccount) }
    if let failure { return PlaceholderWords.failed(OutboxWords.notRead(failure)) }
    guard isRead else { return [[TextRun(OutboxWords.loading, .dim)]] }
    return PlaceholderWords.nothing(OutboxWords.noDrafts, TimelineWords.writes, PlaceholderWords.goesBack)
  }

  override func placeKey(of row: SavedEntry) -> String? { row.id }

  override func cell(forRowAt index: Int) -> any ListCell {
    let saved = rows[index]
    let purpose = account.purpose(of: saved.entry)
    return LinesCell(
      SavedEntryCellData(
        saved, purpose: purpose, cover: account.coverOfParent(of: purpose), me: account.identity.me?.id,
        now: account.clock.now, zone: account.timeZone))
  }

  // MARK: Actions

  override func open(_ row: SavedEntry) {
    opener?.navigator = navigator
    opener?.open(row)
  }

  private func discard() {
    guard let row = selectedRow, let store else { return }
    guard row.holder != .otherProgram else {
      navigator?.say(OutboxWords.cannotOpenElsewhere, .warning)
      return
    }
    let account = account
    store.discard(row.id) { [weak navigator = self.navigator, weak store] result in
      switch result {
      case .success(let entry?):
        account.rememberAct(undoneAs: EntryWords.draftRestored) {
          store?.restore(entry) { error in
            if let error { navigator?.say(EntryWords.draftNotSaved(error), .error) }
          }
        }
        navigator?.say(ActionWords.undoable(EntryWords.draftDiscarded), .new)
      case .success(nil): navigator?.say(OutboxWords.gone, .warning)
      case .failure(let error): navigator?.say(EntryWords.draftNotDiscarded(error), .error)
      }
    }
  }
}

extension DraftsViewController: AccountObserver {
  public func draftsDidChange(_ drafts: Drafts) {
    if isOnScreen { read() }
  }

  public func identityDidChange(_ identity: Identity) { list.reloadCells() }
}
