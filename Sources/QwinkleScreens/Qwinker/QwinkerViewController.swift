public import PaneKit
public import QwinkleModel

/// Somebody's page: who they are, and what they wrote.
@MainActor
public final class QwinkerViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  private let feed: QwinkFeed
  private let list = ListView()

  public init(qwinker: Qwinker, feed: QwinkFeed) {
    self.feed = feed
    super.init(view: list)
    title = "Qwinker"
    keyContext = .qwink
    list.keyContext = .list
    list.performListActions()
  }

  public var status: ScreenStatus { ScreenStatus(state: FeedState(), isEmpty: true) }

  public func refresh() {}
}
