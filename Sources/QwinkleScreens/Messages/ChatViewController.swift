import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import SafeText
import Terminal
import Timekeeping

/// One private conversation, written and read like a chat: messages by days, the newest at the foot, and below them
/// what is being written. It opens there; `Esc` leads to the messages.
@MainActor
public final class ChatViewController: ViewController, Screen {
  /// Earlier messages are taken from the store when fewer than this are left above.
  private static let rowsAhead = 10

  public weak var navigator: (any Navigator)?

  let inbox: Inbox
  let account: Account
  let opened: Conversation
  private let draft: ChatDraft
  let list = ListView()
  private let listArea = View()
  private let rule = RuleView()
  let entry = ChatEntryView()
  let completer: WordCompleter
  var rows: [ChatRow] = []
  private var nameColumns = 0
  private var wasUnread = false
  private var shownRange = 0..<0

  public init(conversation: Conversation, inbox: Inbox, account: Account, drafts: OutgoingStore?, keymap: Keymap) {
    opened = conversation
    self.inbox = inbox
    self.account = account
    draft = ChatDraft(conversation, in: drafts, clock: account.clock)
    completer = WordCompleter(editor: entry.editor, account: account)
    super.init()
    title = ConversationWords.names(of: conversation, me: inbox.me?.id)
    keyContext = .qwink
    listArea.keyContext = .chatMessages
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    list.tellsNewItems = true
    listArea.addSubview(list)
    for subview in [listArea, rule, completer.bar, entry] { view.addSubview(subview) }
    entry.editor.didChange.add(self) { $0.textDidChange() }
    completer.bar.isHidden = true
    completer.likely = conversation.participants.map { KnownName($0) }
    completer.didShow = { [weak self] in self?.showChoices() }
    updateFoot()
    preferredFirstResponder = entry.editor
    account.addObserver(self)
    registerActions()
  }

  /// The conversation as it is known now.
  public var conversation: Conversation { inbox.conversation(opened.id) ?? opened }

  public var status: ScreenStatus {
    var state = inbox.state(of: opened.id)
    // A server that does not answer the inbox does not answer here.
    state.offlineSince = state.offlineSince ?? inbox.state.offlineSince
    return ScreenStatus(
      state: state, isEmpty: rows.isEmpty, nextAttempt: inbox.nextAttempt,
      hints: isWriting ? [.chatSend, .chatLeave] : [.chatWrite, .listPrevious, .back])
  }

  public var selectedQwink: Qwink? { isWriting ? nil : selectedRow?.qwink }

  /// Who said the selected message, or the other one where none is.
  public var selectedQwinker: Qwinker? {
    if let author = selectedQwink?.author { return author }
    let people = inbox.people(in: conversation)
    return people.count == 1 ? people.first : nil
  }

  public func refresh() {
    inbox.refresh()
    inbox.fetchThread(of: opened.id)
  }

  // MARK: Moving

  /// Whether the keys go to what is being written, or will when the sheets are gone.
  var isWriting: Bool { window?.rootResponder === entry.editor }

  func write() {
    window?.makeFirstResponder(entry.editor)
    list.setNeedsDisplay()
    navigator?.statusDidChange(of: self)
  }

  func leaveEntry() {
    if completer.cancel() { return }
    keepDraft()
    guard !rows.isEmpty else {
      perform(.back)
      return
    }
    window?.makeFirstResponder(list)
    navigator?.statusDidChange(of: self)
  }

  var selectedRow: ChatRow? {
    guard let index = list.selectedIndex, rows.indices.contains(index) else { return nil }
    return rows[index]
  }

  // MARK: Writing

  var rules: EntryRules { EntryRules(.conversation(conversation), me: inbox.me) }

  private var limits: ServerInfo.Limits { account.identity.serverInfo?.limits ?? ServerInfo.Limits() }

  private func entryAsTyped() -> Entry {
    Entry(text: entry.editor.text, visibility: .direct, idempotencyKey: "")
  }

  /// Those who would get what is typed, and do not take part in the conversation.
  private var others: [String] {
    ChatAudience.others(named: rules.recipients(of: entryAsTyped()), in: conversation, me: inbox.me)
  }

  private func updateFoot() {
    entry.remaining = rules.remaining(of: entryAsTyped(), limits: limits)
    rule.title = ChatAudience.warning(of: others, columns: view.frame.size.columns)
  }

  /// Choices take the place of the line above the entry.
  private func showChoices() {
    completer.bar.isHidden = !completer.isShowing
    rule.isHidden = completer.isShowing
  }

  private func textDidChange() {
    updateFoot()
    view.setNeedsLayout()
    draft.change(to: entry.editor.text)
  }

  func send() {
    entry.editor.tellChanges()
    guard inbox.isSignedIn else { return }
    if let problem = rules.problem(with: entryAsTyped(), limits: limits) {
      navigator?.say(problem.sentence, .error)
      return
    }
    let others = others
    guard !others.isEmpty else { return sendTyped() }
    let question = ChatAudience.question(of: others, columns: window?.size.columns ?? 80)
    navigator?.ask(question, again: "y") { [weak self] in self?.sendTyped() }
  }

  private func sendTyped() {
    let text = entry.editor.text.trimmed()
    let draftID = draft.id
    draft.detach()
    entry.editor.text = ""
    updateFoot()
    view.setNeedsLayout()
    inbox.send(text, in: conversation, insteadOf: draftID) { [weak self] error in
      guard let error else { return }
      self?.navigator?.say("It is being sent, but could not be written down. \(error.sentence)", .warning)
    }
    list.select(rows.count - 1)
  }

  /// Puts the text of a message that did not arrive into the entry, before what stands there, and keeps it there. Where
  /// that cannot be, nothing changes, and `done` is not called.
  func take(_ message: OutgoingMessage, done: @escaping @MainActor () -> Void) {
    entry.editor.tellChanges()
    let rest = entry.editor.text
    setText(rest.isEmpty ? message.text : message.text + "\n" + rest)
    draft.keep(insteadOf: message.id) { [weak self] error in
      guard let self else { return }
      guard let error else { return done() }
      setText(rest)
      sayNotKept(error)
    }
  }

  private func setText(_ text: String) {
    entry.editor.text = text
    textDidChange()
  }

  func keepDraft() {
    entry.editor.tellChanges()
    draft.keepPending()
  }

  /// Shows what was kept, where nothing is being written. What is typed meanwhile stands behind it.
  private func takeDraft() {
    draft.didFail = { [weak self] in self?.sayNotKept($0) }
    draft.take { [weak self] text, taken in
      guard let self else { return }
      entry.editor.tellChanges()
      if taken.entry == nil, taken.heldElsewhere > 0 {
        navigator?.say("A draft for this chat is being written elsewhere. This is another one.", .warning)
      } else if taken.others > 0 {
        navigator?.say("More than one draft is kept for this chat: the next one stands here after this one.", .warning)
      }
      guard !text.isEmpty else { return }
      setText(text + entry.editor.text)
    }
  }

  private func sayNotKept(_ error: StoreError) {
    navigator?.say("The draft cannot be kept: \(error.sentence)", .error)
  }

  // MARK: Showing

  override public func viewDidAppear() {
    wasUnread = conversation.isUnread
    takeDraft()
    inbox.open(conversation)
    showMessages()
    window?.application?.addObserver(self)
  }

  override public func viewDidDisappear() {
    entry.editor.tellChanges()
    draft.leave { [weak navigator = self.navigator, purpose = EntryPurpose.conversation(opened)] error in
      navigator?.say(EntryWords.notSaved(error, purpose: purpose.key), .error)
    }
    entry.editor.text = ""
    inbox.close(opened.id)
  }

  private func showMessages() {
    guard isOnScreen else { return }
    let wasAtEnd = rows.isEmpty || list.selectedIndex == rows.count - 1
    let inbox = inbox
    let conversation = conversation
    let new = ChatRows(
      conversation: conversation, messages: inbox.messages(of: opened.id), outgoing: inbox.outgoing(of: opened.id),
      lastRead: inbox.lastSeenBefore(in: opened.id), wasUnread: wasUnread, isRevealed: account.timelines.isRevealed,
      me: inbox.me?.id,
      isMine: { inbox.isMe($0, in: conversation) }, now: account.clock.now, zone: account.clock.timeZone
    ).make()
    let change = ListChange(from: rows, to: new)
    rows = new
    let form = list.textForm
    let widest = rows.compactMap(\.name).map { DisplayWidth.columns(of: $0, form: form) }.max() ?? 0
    list.update(removed: change.removed, inserted: change.inserted)
    if widest != nameColumns {
      nameColumns = widest
      list.reloadCells()
    } else {
      list.reloadItems(at: change.changed)
    }
    if wasAtEnd { list.select(rows.count - 1) }
    list.placeholder = MessageCell(paragraphs: placeholder)
    view.setNeedsLayout()
    noteSeen()
    navigator?.statusDidChange(of: self)
  }

  /// What stands at the foot and is on the screen has been read.
  private func noteSeen() {
    guard isOnScreen, !rows.isEmpty, shownRange.upperBound == rows.count else { return }
    inbox.markRead(opened.id)
  }

  private var placeholder: PlaceholderWords.Lines {
    // Where there is no message the keys go to what is written.
    PlaceholderWords.state(inbox.state(of: opened.id), fetching: "Fetching what was said…", isWriting: true)
      ?? PlaceholderWords.nothing("What was said here was deleted. What you write below goes to the same people.")
  }

  override public func updateProperties() {
    updateFoot()
  }

  override public func viewWillLayoutSubviews() {
    let size = view.frame.size
    let entryRows = entry.rows(in: size)
    let ruleRows = size.rows >= 4 ? 1 : 0
    let listRows = max(0, size.rows - entryRows - ruleRows)
    listArea.frame = Rect(row: 0, column: 0, rows: listRows, columns: size.columns)
    rule.frame = Rect(row: listRows, column: 0, rows: ruleRows, columns: size.columns)
    completer.bar.frame = rule.frame
    entry.frame = Rect(row: size.rows - entryRows, column: 0, rows: entryRows, columns: size.columns)
    arrangeList(in: listArea.frame.size)
  }

  /// Few messages stand at the foot, beside what is being written.
  private func arrangeList(in size: Size) {
    var used = rows.isEmpty ? size.rows : 0
    for row in rows where used < size.rows {
      used += ChatCell(row, nameColumns: nameColumns).rows(forColumns: size.columns)
    }
    let listRows = min(used, size.rows)
    list.frame = Rect(row: size.rows - listRows, column: 0, rows: listRows, columns: size.columns)
  }
}

extension ChatViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { rows.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    ChatCell(rows[index], nameColumns: nameColumns)
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    navigator?.statusDidChange(of: self)
  }

  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {
    shownRange = range
    noteSeen()
    if range.lowerBound < Self.rowsAhead, inbox.hasEarlier(in: opened.id) { inbox.loadEarlier(in: opened.id) }
  }
}

extension ChatViewController: AccountObserver {
  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {
    guard id == opened.id else { return }
    showMessages()
  }

  public func inboxDidChangeState(_ inbox: Inbox) {
    navigator?.statusDidChange(of: self)
  }
}

extension ChatViewController {
  public func identityDidChange(_ identity: Identity) {
    updateFoot()
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    // It may have been revealed.
    if rows.contains(where: { $0.qwink?.id == qwink.id }) { showMessages() }
  }
}

extension ChatViewController: ApplicationObserver {
  public func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    if phase == .background || phase == .terminating { keepDraft() }
  }
}
