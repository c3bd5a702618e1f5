import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import Terminal

/// The conversations and the chat of the selected conversation.
///
/// A chat that is only previewed next to the list stays unread until it gets keyboard focus.
@MainActor
final class MessagesViewController: ListAndDetailViewController {
  private let list: ConversationsViewController
  private let inbox: Inbox
  private let makeChat: @MainActor (Conversation) -> ChatViewController?
  private let chatPlace = ChatPlace()

  /// `makeChat` returns the chat of a conversation.
  init(
    list: ConversationsViewController, account: Account,
    makeChat: @escaping @MainActor (Conversation) -> ChatViewController?
  ) {
    self.list = list
    self.makeChat = makeChat
    inbox = account.inbox
    super.init(
      list: list, secondary: chatPlace, detailKey: "chat", minimumColumns: SizeClass.wide.minimumColumns,
      listFraction: 1.0 / 3)
    split.hasSecondary = false
    chatPlace.isOpen = { [weak self] in self?.isInDetail ?? false }
    account.addObserver(self)
  }

  private var chat: ChatViewController? { chatPlace.chat }

  override var detail: (any Screen)? { chat }
  override var titles: [String] { super.titles + (split.showsSecondary ? [chat?.title].compactMap(\.self) : []) }
  override var selectedPlace: Place? { list.selectedRow.map { .conversation($0) } }

  override var detailNote: String? {
    let handle = chat.flatMap { ConversationWords.other(in: $0.opened, me: inbox.me?.id) }.map { "@\($0.handle)" }
    return handle == chat?.title ? nil : handle
  }

  override func show(_ place: Place) -> Bool {
    guard case .conversation(let conversation) = place else { return false }
    list.selectRow(of: conversation)
    show(conversation)
    return true
  }

  /// Shows the chat of the selected row if it fits next to the list, otherwise no chat. Does nothing while the user is
  /// in a chat.
  override func updateDetail() {
    guard !isInDetail else { return }
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

  override var restorableDetail: String? { chat?.conversation.restorableText }

  override func restoreDetail(_ text: String) -> Bool {
    guard let cached = Conversation(restorableText: text) else { return false }
    show(inbox.conversation(cached.id) ?? cached)
    if let chat { chatPlace.restoreChild(chat) }
    return true
  }
}

extension MessagesViewController: AccountObserver {
  func inbox(_ inbox: Inbox, didChange change: ListChange) {
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

  /// Returns whether the chat was opened, not only previewed next to the list.
  var isOpen: () -> Bool = { false }

  init() {
    super.init()
    restorationIdentifier = "chat"
    makesChildrenLater = true
  }

  override var initialFirstResponder: Responder { chat?.initialFirstResponder ?? super.initialFirstResponder }

  override var restorationChildren: [ViewController] { isOpen() ? chat.map { [$0] } ?? [] : [] }

  override func layout(in size: Size) -> Layout? { chat.map { .layers([$0.view]) } }
}
