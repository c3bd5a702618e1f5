import FoundationEssentials
import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The private conversations, newest first, with their participants, last message and unread state.
@MainActor
public final class ConversationsViewController: ListViewController<Conversation> {
  private let inbox: Inbox
  private let account: Account
  private let settings: ReaderSettings
  /// Whether each conversation has one row, because the list has too few rows for three conversations.
  private var isShort = false
  private static let minimumRows = 9

  /// - Parameter shelf: The picture cache for the avatars; nil to show only initials.
  public init(account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil) {
    self.account = account
    self.settings = settings
    inbox = account.inbox
    super.init(title: MessagesWords.title)
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    registerActions()
  }

  override public var state: FeedState { inbox.state }
  override var nextAttempt: Date? { inbox.nextAttempt }

  override var hints: [Action] {
    guard !rows.isEmpty else { return [.message, .refresh] }
    return [.listNext, .open, .message] + (inbox.unreadCount > 0 ? [.nextUnread] : []) + [.delete]
  }

  /// The other participant of the selected conversation, if there is only one.
  override public var selectedQwinker: Qwinker? {
    guard let people = selectedRow?.participants.filter({ $0.id != inbox.me?.id }), people.count == 1 else {
      return nil
    }
    return people.first
  }

  override public func refresh() {
    super.refresh()
    inbox.refresh()
  }

  override func isUnread(_ row: Conversation) -> Bool { row.isUnread }

  override func placeKey(of row: Conversation) -> String? { row.id.rawValue }

  override func loadCached(around keys: [String]) {
    var count = -1
    while !Set(keys).isSubset(of: rows.map(\.id.rawValue)), hasMoreCached, rows.count > count {
      count = rows.count
      loadOlder()
    }
  }

  // MARK: Actions

  private func registerActions() {
    let mayWrite: @MainActor () -> Bool = { [weak self] in self?.inbox.isSignedIn ?? false }
    on(.delete, when: { [weak self] in self?.selectedRow != nil }, perform: { [weak self] in self?.askToDelete() })
    on(.message, when: mayWrite) { [weak self] in self?.askForRecipient() }
    on(.compose, when: mayWrite) { [weak self] in self?.askForRecipient() }
  }

  override func open(_ row: Conversation) {
    navigator?.show(.conversation(row))
  }

  /// Selects the row of `conversation`, if it is loaded.
  func selectRow(of conversation: Conversation) {
    showModelRows()
    let id = inbox.rowID(of: conversation.id)
    if let index = rows.firstIndex(where: { $0.id == id }) { select(index) }
  }

  private func askToDelete() {
    guard let selected = selectedRow, mayDelete(selected) else { return }
    let names = ConversationWords.names(of: selected, me: inbox.me?.id)
    let unsent = inbox.outgoing(of: selected.id).count
    let question =
      selected.isFound ? MessagesWords.askToHide(with: names) : MessagesWords.askToDelete(with: names, unsent: unsent)
    navigator?.ask(question, again: nil) { [weak self] in
      guard let self, mayDelete(selected) else { return }
      account.noteAct(MessagesWords.deletingConversation)
      inbox.delete(selected.id)
    }
  }

  /// Returns whether the conversation can be deleted now. If not, shows the reason: a message that is still being sent
  /// would bring the conversation back.
  private func mayDelete(_ conversation: Conversation) -> Bool {
    guard inbox.outgoing(of: conversation.id).contains(where: { $0.failure == nil }) else { return true }
    navigator?.say(MessagesWords.stillSending, .warning)
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

  override public func updateProperties() {
    let size = view.frame.size
    // The title is above the list.
    let isShort = size.rows <= Self.minimumRows && SizeClass(columns: size.columns) != .compact
    guard isShort != self.isShort else { return }
    self.isShort = isShort
    list.reloadCells()
  }

  override public func viewDidAppear() {
    super.viewDidAppear()
    inbox.refresh()
  }

  override var currentRows: [Conversation]? { inbox.conversations }
  override var hasMoreCached: Bool { inbox.hasMoreCached }

  override func loadOlder() {
    inbox.loadOlder()
  }

  override var loadingWords: String { MessagesWords.fetchingOlder }

  override var placeholder: PlaceholderWords.Lines {
    guard inbox.isSignedIn else { return PlaceholderWords.needsAccount(MessagesWords.needsAccount) }
    return super.placeholder
  }

  override var fetchingWords: String { MessagesWords.fetching }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(
      inbox.serverListsNone ? MessagesWords.notListed : MessagesWords.none, MessagesWords.writes)
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let conversation = rows[index]
    let isMine = conversation.lastQwink.map { inbox.isMe($0.author, in: conversation) } ?? false
    let failed = inbox.outgoing(of: conversation.id).last { $0.failure != nil }?.text
    return LinesCell(
      ConversationCellData(
        conversation, cover: conversation.lastQwink.flatMap { account.disclosure(of: $0, in: filterPlace).cover },
        isMine: isMine, me: inbox.me?.id, failed: failed, now: account.clock.now,
        zone: account.timeZone), density: settings.density, isShort: isShort,
      pictures: face(of: conversation).flatMap { pictures?.cell(of: $0) })
  }

  /// Messages are filtered like threads.
  override var filterPlace: FilterPlace? { .thread }

  private func face(of conversation: Conversation) -> Qwinker? {
    ConversationWords.face(of: conversation, me: inbox.me?.id)
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    isShort ? nil : face(of: rows[index]).map { .qwinker($0) }
  }
}

extension ConversationsViewController: AccountObserver {
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {
    guard showsModelRows else { return }
    // A reader at the top sees new rows at once.
    showKeepingSelection(inbox.conversations, after: change, followsTop: true)
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
