public import PaneKit
public import QwinkleModel
public import QwinkleStore

/// One private conversation, read and written.
@MainActor
public final class ChatViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?
  private let conversation: Conversation
  private let inbox: Inbox
  private let feed: QwinkFeed
  private let drafts: DraftFile?
  private let keymap: Keymap

  public init(conversation: Conversation, inbox: Inbox, feed: QwinkFeed, drafts: DraftFile?, keymap: Keymap) {
    self.conversation = conversation
    self.inbox = inbox
    self.feed = feed
    self.drafts = drafts
    self.keymap = keymap
    super.init()
    title = conversation.participants.map(\.displayName).joined(separator: ", ")
  }

  public var status: ScreenStatus { ScreenStatus(state: inbox.state(of: conversation.id), isEmpty: false) }

  public func refresh() {
    inbox.refresh()
  }
}
