public import PaneKit
import QwinkleModel

/// The list of private conversations.
@MainActor
public final class ConversationsViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?
  private let inbox: Inbox
  private let feed: QwinkFeed
  private let list = ListView()

  public init(inbox: Inbox, feed: QwinkFeed) {
    self.inbox = inbox
    self.feed = feed
    super.init(view: list)
    title = "Messages"
  }

  public var status: ScreenStatus { ScreenStatus(state: inbox.state, isEmpty: inbox.conversations.isEmpty) }

  public func refresh() {
    inbox.refresh()
  }
}
