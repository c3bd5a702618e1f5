import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import QwinkleStore
import Terminal
import Timekeeping

/// Items that are queued, being sent, unconfirmed or refused, in the order in which they were written. The user can
/// edit, hold, send and discard each item.
@MainActor
public final class OutboxViewController: ListViewController<OutboxItem> {
  private let account: Account
  private let store: OutgoingStore?
  private let opener: DraftOpener?
  /// The number of drafts, once loaded.
  private var draftCount = 0
  private var outbox: Outbox { account.outbox }

  /// `store` saves the draft made from an edited item.
  public init(account: Account, store: OutgoingStore?) {
    self.account = account
    self.store = store
    opener = store.map { DraftOpener(account: account, store: $0) }
    super.init(title: OutboxWords.outbox)
    view.keyContext = .outbox
    account.addObserver(self)
    registerActions()
  }

  override var currentRows: [OutboxItem]? { outbox.items }
  override var hasOlderRows: Bool { false }

  override var hints: [Action] {
    guard let item = selectedRow else { return [.back] }
    return (item.entry == nil ? [] : [.edit]) + [.outboxSend, .outboxHold, .delete, .showDrafts, .back]
  }

  override public var status: ScreenStatus {
    var status = super.status
    let isHeld = selectedRow?.isHeld ?? false
    status.words = [
      .delete: OutboxWords.discards, .outboxHold: isHeld ? OutboxWords.releases : OutboxWords.holds,
    ]
    return status
  }

  override func placeKey(of row: OutboxItem) -> String? { row.id }

  // MARK: Words

  override var placeholder: PlaceholderWords.Lines {
    guard account.isSignedIn else { return PlaceholderWords.needsAccount(OutboxWords.outboxNeedsAccount) }
    return PlaceholderWords.nothing(
      OutboxWords.nothingWaits(drafts: draftCount), (Action.showDrafts.key, "lists your drafts"),
      PlaceholderWords.goesBack)
  }

  // MARK: Drafts

  override public func viewDidAppear() {
    super.viewDidAppear()
    countDrafts()
  }

  /// Counts the drafts for the text of an empty outbox. An entry that the server refuses at once becomes a draft.
  private func countDrafts() {
    store?.list { [weak self] entries, _ in
      guard let self, entries.count != draftCount else { return }
      draftCount = entries.count
      updateWords()
    }
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let item = rows[index]
    let purpose = item.entry.flatMap { account.purpose(of: $0) }
    return LinesCell(
      SavedEntryCellData(
        item, purpose: purpose, cover: account.coverOfParent(of: purpose), me: account.identity.me?.id,
        now: account.clock.now, zone: account.timeZone))
  }

  // MARK: Actions

  private func registerActions() {
    let isOnItem: @MainActor () -> Bool = { [weak self] in self?.selectedRow != nil }
    on(.edit, when: isOnItem) { [weak self] in self?.edit() }
    on(.delete, when: isOnItem) { [weak self] in self?.discard() }
    on(.outboxSend) { [weak self] in self?.sendNow() }
    on(.outboxHold) { [weak self] in self?.holdOrRelease() }
  }

  override func open(_ row: OutboxItem) { edit() }

  /// Returns the selected item if it can be changed now. Otherwise explains why not.
  private func changeableItem() -> OutboxItem? {
    guard let item = selectedRow else {
      navigator?.say(OutboxWords.nothingWaits(drafts: draftCount), .dim)
      return nil
    }
    if outbox.mayChange(item.id) { return item }
    navigator?.say(item.isElsewhere ? OutboxWords.itemElsewhere : OutboxWords.notNow, .warning)
    return nil
  }

  /// Turns the selected item into a draft and opens the draft.
  private func edit() {
    guard let item = changeableItem() else { return }
    guard item.entry != nil else {
      navigator?.say(OutboxWords.notAnEntry, .warning)
      return
    }
    guard item.waitsFor == nil else {
      navigator?.say(OutboxWords.waitsForPart, .warning)
      return
    }
    outbox.edit(item.id) { [weak self] entry in
      guard let self, let entry else { return }
      account.noteAct(OutboxWords.editing)
      opener?.navigator = navigator
      opener?.open(SavedEntry(entry, number: 0, changedAt: account.clock.now))
    }
  }

  private func sendNow() {
    guard let item = changeableItem() else { return }
    account.noteAct(OutboxWords.sendingNow)
    account.sendNow(item)
    navigator?.say(OutboxWords.sendingNow, .new)
  }

  private func holdOrRelease() {
    guard let item = changeableItem() else { return }
    let outbox = outbox
    if item.isHeld {
      outbox.release(item.id)
      account.rememberAct(undoneAs: OutboxWords.held) { [weak outbox] in outbox?.hold(item.id) }
    } else {
      let id = account.hold(item)
      account.rememberAct(undoneAs: OutboxWords.released) { [weak outbox] in outbox?.release(id) }
    }
    navigator?.say(item.isHeld ? OutboxWords.released : OutboxWords.held, .new)
  }

  private func discard() {
    guard let item = changeableItem() else { return }
    let outbox = outbox
    outbox.discard(item.id) { [weak navigator = self.navigator] error in
      navigator?.say(OutboxWords.cannotDiscard(error), .error)
    }
    let isHeldThen = item.isHeld || item.state == .undoable
    account.rememberAct(undoneAs: isHeldThen ? OutboxWords.heldAgain : OutboxWords.queuedAgain) {
      [weak account = self.account] in account?.restore(item)
    }
    navigator?.say(ActionWords.undoable(OutboxWords.discarded), .new)
  }
}

extension OutboxViewController: AccountObserver {
  public func outboxDidChange(_ outbox: Outbox) {
    if showsModelRows { showKeepingSelection(outbox.items) }
  }

  public func draftsDidChange(_ drafts: Drafts) {
    if isOnScreen { countDrafts() }
  }

  public func identityDidChange(_ identity: Identity) { list.reloadCells() }
}
