public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleStore
public import Terminal

/// The conversations and the chat of the selected conversation: side by side if this pane is wide, otherwise one at a
/// time.
///
/// A chat that is only previewed next to the list stays unread until it gets keyboard focus.
@MainActor
public final class MessagesViewController: ViewController, Pane {
  private static let listFraction = 1.0 / 3

  private let list: ConversationsViewController
  private let inbox: Inbox
  private let makeChat: @MainActor (Conversation) -> ChatViewController?
  private let chatPlace: ChatPlace
  private let split: SplitViewController
  /// The chat that was open when the program last quit.
  private var restoredChat: Conversation?

  /// `makeChat` returns the chat of a conversation.
  public init(
    list: ConversationsViewController, account: Account,
    makeChat: @escaping @MainActor (Conversation) -> ChatViewController?
  ) {
    self.list = list
    self.makeChat = makeChat
    inbox = account.inbox
    let chatPlace = ChatPlace()
    self.chatPlace = chatPlace
    chatPlace.restorationIdentifier = "chat"
    chatPlace.makesChildrenLater = true
    split = SplitViewController(
      primary: list, secondary: chatPlace, minimumColumns: SizeClass.wide.minimumColumns,
      primaryFraction: Self.listFraction)
    super.init()
    split.restorationIdentifier = "split"
    split.hasSecondary = false
    chatPlace.isOpen = { [weak self] in self?.isInChat ?? false }
    addChild(split)
    account.addObserver(self)
  }

  override public var initialFirstResponder: Responder {
    (split.showsSecondary ? chatPlace : list).initialFirstResponder
  }

  override public func layout(in size: Size) -> Layout? { .layers([split.view]) }

  // MARK: Restoration

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["chat"] = (isInChat ? chat?.conversation : nil)?.restorableText
  }

  override public func decodeRestorableState(with state: RestorableState) {
    restoredChat = state["chat"].flatMap { Conversation(restorableText: $0) }
  }

  override public func didRestoreChildren() {
    guard let cached = restoredChat else { return }
    restoredChat = nil
    show(inbox.conversation(cached.id) ?? cached)
    if let chat { chatPlace.restoreChild(chat) }
    split.showSecondary(givesKeys: window?.rootResponder?.chain.contains { $0 === self } ?? true)
  }

  // MARK: Pane

  private var chat: ChatViewController? { chatPlace.chat }

  public var main: any Screen { list }
  public var front: any Screen { isInChat ? chat ?? list : list }
  public var titles: [String] { [list.title] + (split.showsSecondary ? [chat?.title].compactMap(\.self) : []) }
  public var hasDetail: Bool { chat != nil }
  public var isSideBySide: Bool { split.isSideBySide }

  public func showTitles(above: [String]) {
    list.showTitles(above: above)
    guard let chat else { return }
    if isSideBySide {
      let handle = ConversationWords.other(in: chat.opened, me: inbox.me?.id).map { "@\($0.handle)" }
      chat.showTitle([chat.title], detail: handle == chat.title ? nil : handle)
    } else {
      chat.showTitle(above + [list.title, chat.title])
    }
  }

  public func openDetail(_ place: Place) -> Bool {
    guard case .conversation(let conversation) = place else { return false }
    list.selectRow(of: conversation)
    show(conversation)
    split.showSecondary()
    return true
  }

  public func openDetail() -> Bool {
    guard !isInChat, let selected = list.selectedRow else { return false }
    return openDetail(.conversation(selected))
  }

  public func closeDetail() -> Bool {
    guard isInChat else { return false }
    split.showPrimary()
    updateChat()
    return true
  }

  public func follow(_ screen: any Screen) {
    // A change to the list may select one row and then another, so wait for the update.
    if screen === list { view.setNeedsUpdateProperties() }
  }

  // MARK: The chat

  /// Whether the chat has keyboard focus or, in a narrow pane, replaces the list.
  private var isInChat: Bool { split.isSideBySide ? chatPlace.hasKeys : split.showsSecondary }

  override public func viewDidAppear() { view.setNeedsUpdateProperties() }

  override public func updateProperties() {
    if isOnScreen { updateChat() }
  }

  /// Shows the chat of the selected row if it fits next to the list, otherwise no chat. Does nothing while the user is
  /// in a chat.
  private func updateChat() {
    guard !isInChat else { return }
    show(SizeClass(columns: view.frame.size.columns) >= .wide ? list.selectedRow : nil)
  }

  private func show(_ conversation: Conversation?) {
    if let conversation, chat?.isChat(with: conversation) == true { return }
    guard conversation != nil || chat != nil else { return }
    let chat = conversation.flatMap(makeChat)
    split.hasSecondary = chat != nil
    split.joinedRule = chat?.rule
    chatPlace.chat = chat
  }
}

extension MessagesViewController: AccountObserver {
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {
    // The list may have selected another row.
    view.setNeedsUpdateProperties()
  }
}

/// Container of the current chat. Each conversation has its own chat controller.
@MainActor
private final class ChatPlace: ViewController {
  var chat: ChatViewController? {
    didSet {
      guard chat !== oldValue else { return }
      oldValue?.removeFromParent()
      if let chat { addChild(chat) }
      view.setNeedsLayout()
      view.setNeedsDisplay()
    }
  }

  var hasKeys: Bool { window?.rootResponder?.chain.contains { $0 === self } ?? false }

  override var initialFirstResponder: Responder { chat?.initialFirstResponder ?? super.initialFirstResponder }

  /// Returns whether the chat was opened, not only previewed next to the list.
  var isOpen: () -> Bool = { false }

  override var restorationChildren: [ViewController] { isOpen() ? chat.map { [$0] } ?? [] : [] }

  override func layout(in size: Size) -> Layout? { chat.map { .layers([$0.view]) } }
}
