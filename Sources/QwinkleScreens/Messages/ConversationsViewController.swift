import FoundationEssentials
import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The private conversations, newest first, with their people, last message and unread state.
@MainActor
public final class ConversationsViewController: ListViewController<Conversation> {
  private let inbox: Inbox
  private let account: Account

  public init(account: Account) {
    self.account = account
    inbox = account.inbox
    super.init(title: "Messages")
    account.addObserver(self)
    registerActions()
    updateWords()
  }

  override public var state: FeedState { inbox.state }
  override var nextAttempt: Date? { inbox.nextAttempt }

  override var hints: [Action] {
    guard !rows.isEmpty else { return [.writePrivately, .refresh] }
    return [.listNext, .open, .writePrivately] + (inbox.unreadCount > 0 ? [.nextUnread] : []) + [.delete]
  }

  /// The other person, if there is just one.
  override public var selectedQwinker: Qwinker? {
    guard let people = selectedRow?.participants.filter({ $0.id != inbox.me?.id }), people.count == 1 else {
      return nil
    }
    return people.first
  }

  override public func refresh() {
    inbox.refresh()
  }

  override func isUnread(_ row: Conversation) -> Bool { row.isUnread }

  // MARK: Actions

  private func registerActions() {
    let mayWrite: @MainActor () -> Bool = { [weak self] in self?.inbox.isSignedIn ?? false }
    on(.delete, when: { [weak self] in self?.selectedRow != nil }, perform: { [weak self] in self?.askToDelete() })
    on(.writePrivately, when: mayWrite) { [weak self] in self?.askForRecipient() }
    on(.compose, when: mayWrite) { [weak self] in self?.askForRecipient() }
  }

  override func open(_ row: Conversation) {
    navigator?.show(.conversation(row))
  }

  private func askToDelete() {
    guard let selected = selectedRow, mayDelete(selected) else { return }
    let names = ConversationWords.names(of: selected, me: inbox.me?.id)
    let unsent = inbox.outgoing(of: selected.id).count
    let messages = unsent == 1 ? "an unsent message" : "\(unsent) unsent messages"
    let question =
      selected.isFound
      ? "This server cannot delete it. Hide the conversation with \(names) until something else is said?"
      : unsent > 0
        ? "Delete the conversation with \(names), and \(messages)?"
        : "Delete the conversation with \(names)? The others keep what was said."
    navigator?.ask(question, again: nil) { [weak self] in
      guard let self, mayDelete(selected) else { return }
      inbox.delete(selected.id)
    }
  }

  /// A message on its way would bring the conversation back.
  private func mayDelete(_ conversation: Conversation) -> Bool {
    guard inbox.outgoing(of: conversation.id).contains(where: { $0.failure == nil }) else { return true }
    navigator?.say("A message to them is on its way: delete the conversation when it has arrived.", .warning)
    return false
  }

  private func askForRecipient() {
    present(
      RecipientViewController(account: account) { [weak self] qwinkers in
        guard let self else { return }
        if let known = inbox.conversation(with: qwinkers) {
          navigator?.show(.conversation(known))
        } else {
          navigator?.write(EntryPurpose(messageTo: qwinkers))
        }
      })
  }

  // MARK: Showing

  override public func viewDidAppear() {
    super.viewDidAppear()
    inbox.refresh()
  }

  override var currentRows: [Conversation]? { inbox.conversations }
  override var hasMoreKept: Bool { inbox.hasMoreKept }

  override func loadOlder() {
    inbox.loadOlder()
  }

  override var loadingWords: String { "Fetching older conversations…" }

  override var placeholder: PlaceholderWords.Lines {
    guard inbox.isSignedIn else { return PlaceholderWords.needsAccount("Private messages need an account.") }
    return PlaceholderWords.state(state, fetching: "Fetching your conversations…")
      ?? PlaceholderWords.nothing(
        inbox.serverListsNone ? "This server does not list private messages." : "No private messages yet.",
        ("p", "writes to somebody"))
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let conversation = rows[index]
    let isMine = conversation.lastQwink.map { inbox.isMe($0.author, in: conversation) } ?? false
    let failed = inbox.outgoing(of: conversation.id).last { $0.failure != nil }?.text
    return LinesCell(
      ConversationCellData(
        conversation, isMine: isMine, me: inbox.me?.id, failed: failed, now: account.clock.now,
        zone: account.clock.timeZone))
  }
}

extension ConversationsViewController: AccountObserver {
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {
    guard isTakenUp else { return }
    // A reader at the top sees what comes there.
    showKeepingSelection(inbox.conversations, after: change, followsTop: true)
    updateWords()
  }

  public func inboxDidChangeState(_ inbox: Inbox) { stateDidChange() }

  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {
    let row = inbox.rowID(of: id)
    reloadRows { $0.id == row }
  }

  public func identityDidChange(_ identity: Identity) {
    list.reloadCells()
  }
}
