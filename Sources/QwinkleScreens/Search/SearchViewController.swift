public import PaneKit

/// Finds qwinkers, tags and qwinks by words, and what an address leads to.
@MainActor
public final class SearchViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  private let feed: QwinkFeed
  private let list = ListView()

  public init(query: String = "", feed: QwinkFeed) {
    self.feed = feed
    super.init(view: list)
    title = "Search"
    keyContext = .qwink
    list.keyContext = .list
    list.performListActions()
  }

  public var status: ScreenStatus { ScreenStatus(state: FeedState(), isEmpty: true) }

  public func refresh() {}
}
