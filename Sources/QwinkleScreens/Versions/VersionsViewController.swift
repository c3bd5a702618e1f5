public import PaneKit
public import QwinkleModel

/// What a qwink said at each time, and what was changed.
@MainActor
public final class VersionsViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  private let feed: QwinkFeed
  private let list = ListView()

  public init(qwink: Qwink, feed: QwinkFeed) {
    self.feed = feed
    super.init(view: list)
    title = "Versions"
    keyContext = .qwink
    list.keyContext = .list
    list.performListActions()
  }

  public var status: ScreenStatus { ScreenStatus(state: FeedState(), isEmpty: true) }

  public func refresh() {}
}
