import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The private conversations, newest first: who takes part, what was said last, what was not read.
@MainActor
public final class ConversationsViewController: ViewController, Screen {
  /// Older conversations are fetched when fewer than this are left below.
  private static let rowsAhead = 10

  public weak var navigator: (any Navigator)?

  private let inbox: Inbox
  private let account: Account
  private let list = ListView()
  private var conversations: [Conversation] = []
  private var isTakenUp = false
  private var shownRange = 0..<0

  public init(inbox: Inbox, account: Account) {
    self.inbox = inbox
    self.account = account
    super.init(view: list)
    title = "Messages"
    keyContext = .qwink
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    account.addObserver(self)
    registerActions()
    updateWords()
  }

  public var status: ScreenStatus {
    let unread: [Action] = inbox.unreadCount > 0 ? [.nextUnread] : []
    return ScreenStatus(
      state: inbox.state, isEmpty: conversations.isEmpty, nextAttempt: inbox.nextAttempt,
      hints: conversations.isEmpty
        ? [.writePrivately, .refresh] : [.listNext, .open, .writePrivately] + unread + [.delete])
  }

  /// The other one, where there is only one.
  public var selectedQwinker: Qwinker? {
    guard let people = selected?.participants.filter({ $0.id != inbox.me?.id }), people.count == 1 else { return nil }
    return people.first
  }

  public func refresh() {
    inbox.refresh()
  }

  /// Selects a conversation where it is here.
  public func select(_ id: Conversation.ID) {
    takeUp()
    if let index = conversations.firstIndex(where: { $0.id == id }) { list.select(index) }
  }

  public func selectUnread(_ step: UnreadStep) -> Bool {
    takeUp()
    let unread = conversations.indices.filter { conversations[$0].isUnread }
    guard let index = step.index(in: unread, from: list.selectedIndex) else { return false }
    list.select(index)
    return true
  }

  // MARK: Actions

  private var selected: Conversation? {
    guard let index = list.selectedIndex, conversations.indices.contains(index) else { return nil }
    return conversations[index]
  }

  private func registerActions() {
    let hasSelection: @MainActor () -> Bool = { [weak self] in self?.selected != nil }
    let mayWrite: @MainActor () -> Bool = { [weak self] in self?.inbox.isSignedIn ?? false }
    on(.open, when: hasSelection, perform: { [weak self] in self?.open() })
    on(.delete, when: hasSelection) { [weak self] in self?.askToDelete() }
    on(.writePrivately, when: mayWrite) { [weak self] in self?.askForRecipient() }
    on(.compose, when: mayWrite) { [weak self] in self?.askForRecipient() }
  }

  private func open() {
    if let selected { navigator?.show(.conversation(selected)) }
  }

  private func askToDelete() {
    guard let selected else { return }
    guard mayDelete(selected) else { return }
    let names = ConversationWords.names(of: selected, me: inbox.me?.id)
    let unsent = inbox.outgoing(of: selected.id).count
    if selected.isFound {
      return navigator?.ask(
        "This server cannot delete it. Hide the conversation with \(names) until something else is said?", again: nil
      ) { [weak self] in
        guard let self, mayDelete(selected) else { return }
        inbox.delete(selected.id)
      } ?? ()
    }
    let question =
      unsent == 0
      ? "Delete the conversation with \(names)? The others keep what was said."
      : "Delete the conversation with \(names), and \(unsent == 1 ? "an unsent message" : "\(unsent) unsent messages")?"
    navigator?.ask(question, again: nil) { [weak self] in
      guard let self, mayDelete(selected) else { return }
      inbox.delete(selected.id)
    }
  }

  /// What is on its way would come back as a conversation.
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
    takeUp()
    inbox.refresh()
    updateWords()
  }

  private func takeUp() {
    guard !isTakenUp else { return }
    isTakenUp = true
    conversations = inbox.conversations
    list.reloadData()
  }

  private func loadOlderWhereNeeded(byReader: Bool = false) {
    let state = inbox.state
    guard shownRange.upperBound > 0, shownRange.upperBound + Self.rowsAhead >= conversations.count else { return }
    let mayAsk = state.error == nil && !state.isRefreshing && (byReader || !state.wasCancelled)
    if mayAsk || inbox.hasMoreKept { inbox.loadOlder() }
  }

  private func updateWords() {
    list.placeholder = MessageCell(paragraphs: placeholder)
    let footer = PlaceholderWords.footer(for: inbox.state, loading: "Fetching older conversations…")
    list.footer = footer.isEmpty || conversations.isEmpty ? nil : MessageCell(paragraphs: [footer], row: 1)
    navigator?.statusDidChange(of: self)
  }

  private var placeholder: PlaceholderWords.Lines {
    guard inbox.isSignedIn else {
      return PlaceholderWords.nothing(
        "Private messages need an account.",
        ("qwinkle login URL", "signs you in, from the shell"), ("1", "goes to the public timeline"))
    }
    return PlaceholderWords.state(inbox.state, fetching: "Fetching your conversations…")
      ?? PlaceholderWords.nothing(
        inbox.serverListsNone ? "This server does not list private messages." : "No private messages yet.",
        ("p", "writes to somebody"))
  }
}

extension ConversationsViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { conversations.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    let conversation = conversations[index]
    let isMine = conversation.lastQwink.map { inbox.isMe($0.author, in: conversation) } ?? false
    let failed = inbox.outgoing(of: conversation.id).last { $0.failure != nil }?.text
    return LinesCell(
      ConversationCellData(
        conversation, isMine: isMine, me: inbox.me?.id, failed: failed, now: account.clock.now,
        zone: account.clock.timeZone))
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    navigator?.statusDidChange(of: self)
  }

  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {
    shownRange = range
    loadOlderWhereNeeded(byReader: true)
  }
}

extension ConversationsViewController: AccountObserver {
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {
    guard isTakenUp else { return }
    let before = selected
    conversations = inbox.conversations
    // Whoever stands at the top sees what comes there; the selection stays with its conversation.
    list.update(removed: change.removed, inserted: change.inserted, followsTop: list.isAtTop)
    list.reloadItems(at: change.changed)
    if let before, let index = conversations.firstIndex(where: { $0.id == before.id }) {
      list.select(index, reveals: false)
    }
    updateWords()
  }

  public func inboxDidChangeState(_ inbox: Inbox) {
    guard isTakenUp else { return }
    // Times have grown older.
    if inbox.state.isRefreshing { list.reloadCells() }
    updateWords()
    loadOlderWhereNeeded()
  }

  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {
    let row = inbox.rowID(of: id)
    if let index = conversations.firstIndex(where: { $0.id == row }) { list.reloadItems(at: [index]) }
  }
}

extension ConversationsViewController {
  public func identityDidChange(_ identity: Identity) {
    list.reloadCells()
  }
}
