import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import Terminal
import Timekeeping

/// A private conversation as a chat: messages grouped by day, the newest at the bottom, and the entry below them. The
/// entry has keyboard focus first; `Esc` moves focus to the messages.
@MainActor
public final class ChatViewController: ListViewController<ChatRow> {
  /// A chat preview must stay visible this long before its messages are fetched.
  private static let restTime = Duration.milliseconds(300)
  /// Earlier messages are loaded from the store when fewer rows than this are left above.
  private static let rowsAhead = 10

  let inbox: Inbox
  let account: Account
  let opened: Conversation
  let settings: ReaderSettings
  let draft: ChatDraft
  let attachments: EntryAttachments
  /// Whether the user has just added a file, whose description is still to be asked for.
  var asksForAltText = false
  let drafts: OutgoingStore?
  private let listArea: View
  let rule = RuleView()
  let entry = ChatEntryView()
  let completer: WordCompleter
  private var wasUnread = false
  /// Whether the chat has had keyboard focus. Until then it is only a preview next to the list: it stays unread and
  /// doesn't load its draft.
  private(set) var isOpened = false
  private var timer: ProgramTimer?
  /// State from the last run, until the draft is loaded.
  var restoredState: RestorableState?
  /// Title from the last run, used until the user's account has loaded: the server may list the user among the
  /// participants.
  private var restoredTitle: String?
  /// Whether the chat was restored from the last run and no key was pressed in it yet. Until then, no message is marked
  /// as read.
  private var waitsForKey = false
  /// Unread state of the chat when it was opened in the last run.
  private var restoredNews: (lastRead: Qwink.ID?, wasUnread: Bool)?

  public init(
    conversation: Conversation, account: Account, drafts: OutgoingStore?, settings: ReaderSettings = ReaderSettings(),
    shelf: PictureShelf? = nil, home: String? = nil
  ) {
    opened = conversation
    self.settings = settings
    self.account = account
    inbox = account.inbox
    self.drafts = drafts
    draft = ChatDraft(conversation, in: drafts, clock: account.clock)
    attachments = EntryAttachments(draft, account: account)
    completer = WordCompleter(editor: entry.editor, account: account)
    let list = ListView()
    listArea = FootView(list)
    super.init(title: ConversationWords.names(of: conversation, me: inbox.me?.id), list: list)
    listArea.keyContext = .chatMessages
    list.tellsNewItems = true
    showPictures(shelf, account: account, settings: settings, hasDensity: false)
    for subview in [listArea, rule, completer.bar, entry] { view.addSubview(subview) }
    draft.cursor = { [weak entry = self.entry] in entry?.editor.cursorPosition ?? 0 }
    entry.editor.didChange.add(self) { $0.textDidChange() }
    completer.bar.isHidden = true
    completer.likely = conversation.participants.map { KnownName($0) }
    completer.didShow = { [weak self] in self?.showChoices() }
    updateFoot()
    preferredFirstResponder = entry.editor
    account.addObserver(self)
    registerActions()
    registerFiles()
    attachments.take(home: home, shelf, settings, of: self)
  }

  /// The latest known state of the conversation.
  public var conversation: Conversation { inbox.conversation(opened.id) ?? opened }

  override public var state: FeedState {
    var state = inbox.state(of: opened.id)
    // If the inbox is offline, so is the chat.
    state.offlineSince = state.offlineSince ?? inbox.state.offlineSince
    return state
  }

  override var canBeLimited: Bool { false }
  override var hasOlderRows: Bool { false }

  override var nextAttempt: Date? { inbox.nextAttempt }

  override var hints: [Action] {
    let next: [Action] = inbox.conversations.count > 1 ? [.chatNext] : []
    guard isWriting else {
      return [.chatWrite, .listPrevious, .back] + (visibleCountdowns.isEmpty ? [] : [.sendHeld]) + next
    }
    return (settings.enterSends ? [.chatEnter, .chatNewline] : [.chatSend]) + [.entryAttach, .chatLeave] + next + [
      .entryEditor
    ]
  }

  override public var status: ScreenStatus {
    var status = super.status
    // If the chat has no messages to focus, the key leaves the chat.
    if rows.isEmpty { status.words[.chatLeave] = MessagesWords.back }
    status.visibleCountdowns = visibleCountdowns
    status.words[.sendHeld] = PendingWords.now
    return status
  }

  private var visibleCountdowns: Set<PendingActions.Kind> {
    let visible = rows[shownRows.clamped(to: rows.indices)].compactMap(\.outgoing)
    return Set(visible.filter { secondsHeld($0) != nil }.map { .message(key: $0.id) })
  }

  override public var selectedQwink: Qwink? { isWriting ? nil : selectedRow?.qwink }

  /// The author of the selected message, or else the only other participant.
  override public var selectedQwinker: Qwinker? {
    if let author = selectedQwink?.author { return author }
    let people = inbox.people(in: conversation)
    return people.count == 1 ? people.first : nil
  }

  /// Whether this is the chat of `conversation`, or of another conversation in the same row of the conversation list.
  func isChat(with conversation: Conversation) -> Bool {
    inbox.rowID(of: opened.id) == inbox.rowID(of: conversation.id)
  }

  override public func refresh() {
    super.refresh()
    inbox.refresh()
    inbox.fetchThread(of: opened.id)
  }

  // MARK: Restoration

  override var isAtUsualPlace: Bool { selectedIndex == rows.count - 1 }

  override func placeKey(of row: ChatRow) -> String? { row.id }

  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    if let restoredState { return state.merge(restoredState) { $1 } }
    guard isOnScreen, isOpened else { return }
    state["title"] = title
    state["keys"] = isWriting ? "entry" : "messages"
    state["cursor"] = entry.editor.restorableCursor
    state["last read"] = lastRead?.rawValue
    state["unread"] = wasUnread ? "yes" : nil
  }

  /// The last message read before the chat was opened; nil if unknown.
  private var lastRead: Qwink.ID? {
    if let restoredNews { restoredNews.lastRead } else { inbox.lastSeenBefore(in: opened.id) }
  }

  override public func decodeRestorableState(with state: RestorableState) {
    super.decodeRestorableState(with: state)
    guard let keys = state["keys"] else { return }
    restoredState = state
    restoredNews = (state["last read"].map { Qwink.ID($0) }, state["unread"] != nil)
    wasUnread = state["unread"] != nil
    (isOpened, waitsForKey) = (true, true)
    restoredTitle = state["title"]
    updateTitle()
    preferredFirstResponder = keys == "entry" ? entry.editor : list
    // A pane appears before it is restored, so another view in the chat may have keyboard focus already.
    if hasKeys == true { window?.makeFirstResponder(preferredFirstResponder) }
    showMessages()
  }

  func updateTitle() {
    title = (inbox.me == nil ? restoredTitle : nil) ?? ConversationWords.names(of: opened, me: inbox.me?.id)
  }

  // MARK: Showing

  override public func viewDidAppear() {
    wasUnread = restoredNews?.wasUnread ?? conversation.isUnread
    inbox.open(conversation)
    showMessages()
    pictures?.lookSoon()
    window?.application?.addObserver(self)
    window?.firstResponderDidChange.add(self) { $0.noteKeys() }
    window?.application?.didHandleKey.add(self) {
      $0.completer.didHandleKey()
      $0.noteKey()
    }
    // A chat that reappears next to the focused screen isn't read yet.
    if isOpened, hasKeys != true { waitsForKey = true }
    isOpened = isOpened || hasKeys == true
    if isOpened { didOpen() } else { fetchSoon() }
  }

  private func noteKeys() {
    guard !isOpened, hasKeys == true else { return }
    isOpened = true
    didOpen()
  }

  /// Marks a restored or reappeared chat as read after the first key.
  private func noteKey() {
    guard waitsForKey, hasKeys == true else { return }
    waitsForKey = false
    noteSeen()
  }

  private func didOpen() {
    timer = nil
    takeDraft()
    inbox.fetchThread(of: opened.id)
    noteSeen()
  }

  private func fetchSoon() {
    timer = account.clock.schedule(after: Self.restTime) { [weak self] in
      guard let self else { return }
      timer = nil
      if isOnScreen { inbox.fetchThread(of: opened.id) }
    }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    window?.firstResponderDidChange.remove(self)
    window?.application?.didHandleKey.remove(self)
    timer = nil
    restoredNews = nil
    entry.editor.tellChanges()
    let pendingCount = attachments.cancel()
    if pendingCount > 0 { navigator?.say(EntryFileWords.savedBeforeUpload(pendingCount), .warning) }
    draft.leave { [weak navigator = self.navigator, purpose = EntryPurpose.conversation(opened)] error in
      navigator?.say(EntryWords.notSaved(error, purpose: purpose.key), .error)
    }
    entry.editor.text = ""
    clearFiles()
    inbox.close(opened.id)
  }

  func showMessages() {
    guard isOnScreen else { return }
    let wasAtEnd = rows.isEmpty || selectedIndex == rows.count - 1
    let inbox = inbox
    let conversation = conversation
    let new = ChatRows(
      conversation: conversation, messages: inbox.messages(of: opened.id), outgoing: inbox.outgoing(of: opened.id),
      lastRead: lastRead, wasUnread: wasUnread,
      cellData: { [account, filterPlace] in account.cellData(of: $0, in: filterPlace) },
      me: inbox.me, isMine: { inbox.isMe($0, in: conversation) }, now: account.clock.now, zone: account.timeZone,
      secondsHeld: { [self] in secondsHeld($0) }, isWriting: isWriting
    ).make()
    showKeepingSelection(new)
    if wasAtEnd, !didPlace { select(rows.count - 1) }
    view.setNeedsLayout()
    noteSeen()
  }

  /// Chats are filtered like threads.
  override var filterPlace: FilterPlace? { .thread }

  override public func accountFilterDidExpire() {
    showMessages()
    super.accountFilterDidExpire()
  }

  /// Updates only the countdowns of messages that the user can still undo, unless other outgoing messages have changed.
  /// This method is called every second.
  func updateHeldRows() {
    guard isOnScreen else { return }
    guard rows.compactMap(\.outgoing) == inbox.outgoing(of: opened.id) else { return showMessages() }
    var new = rows
    var changed: [Int] = []
    for (index, row) in rows.enumerated() {
      guard let message = row.outgoing else { continue }
      new[index].delivery = ChatRow.Delivery(of: message, secondsHeld: secondsHeld(message), isWriting: isWriting)
      if new[index] != row { changed.append(index) }
    }
    guard !changed.isEmpty else { return }
    let wasAtEnd = selectedIndex == rows.count - 1
    show(new, after: ListChange(changed: changed))
    if wasAtEnd { select(rows.count - 1) }
  }

  private func secondsHeld(_ message: OutgoingMessage) -> Int? {
    account.pendingActions.secondsLeft(of: .message(key: message.id))
  }

  /// Marks the chat as read if it was opened and its last message is visible.
  private func noteSeen() {
    guard isOnScreen, isOpened, !waitsForKey, !rows.isEmpty, shownRows.upperBound == rows.count else { return }
    inbox.markRead(opened.id)
  }

  override var placeholder: PlaceholderWords.Lines {
    // Without messages, the entry has keyboard focus.
    PlaceholderWords.state(state, fetching: MessagesWords.fetchingMessages, isWriting: true)
      ?? PlaceholderWords.nothing(MessagesWords.allDeleted)
  }

  override public func updateProperties() {
    updateFoot()
  }

  override func content(in size: Size) -> Layout {
    .rows([
      .fill: listArea, .fixed(size.rows >= 4 ? 1 : 0): Layout.layers([rule, completer.bar]), .intrinsic: entry,
    ])
  }

  /// Whether messages have avatars: only if someone in the chat has a picture, because initials repeat the name.
  private var hasAvatars: Bool {
    settings.density == .comfortable
      && (conversation.participants + [inbox.me].compactMap(\.self)).contains { pictures?.cell(of: $0) != nil }
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let row = rows[index]
    let shown = row.qwink.flatMap { pictures?.cell(of: $0) } ?? inbox.me.flatMap { pictures?.cell(of: $0) }
    return ChatCell(row, hasAvatars: hasAvatars, pictures: shown)
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    let (row, columns) = (rows[index], list.frame.size.columns)
    let hasAvatar = row.avatar != nil && hasAvatars && SizeClass(columns: columns) != .compact
    guard let qwink = row.qwink else { return hasAvatar ? inbox.me.map { .qwinker($0) } : nil }
    guard hasAvatar || !qwink.attachments.isEmpty || qwink.card?.picture != nil else { return nil }
    let textColumns = ChatCellLayout.textColumns(of: row, columns: columns, hasAvatars: hasAvatars)
    return .qwink(qwink, textColumns: textColumns, hasAvatar: hasAvatar)
  }

  override func didShowRows() {
    noteSeen()
    if shownRows.lowerBound < Self.rowsAhead, inbox.hasEarlier(in: opened.id) { inbox.loadEarlier(in: opened.id) }
  }
}
