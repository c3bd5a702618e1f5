public import PaneKit
public import QwinkleModel

/// A list of qwinkers, such as somebody's followers.
@MainActor
public final class QwinkerListViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  private let feed: QwinkFeed
  private let list = ListView()

  public init(list name: QwinkerListName, feed: QwinkFeed) {
    self.feed = feed
    super.init(view: list)
    title = "Followers"
    keyContext = .qwink
    list.keyContext = .list
    list.performListActions()
  }

  public var status: ScreenStatus { ScreenStatus(state: FeedState(), isEmpty: true) }

  public func refresh() {}
}
