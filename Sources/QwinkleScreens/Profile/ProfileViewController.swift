public import PaneKit
import Terminal

/// What I say of myself, to be changed: a sheet.
@MainActor
public final class ProfileViewController: ViewController {
  public weak var navigator: (any Navigator)?

  private let feed: QwinkFeed

  public init(feed: QwinkFeed, keymap: Keymap) {
    self.feed = feed
    super.init()
    title = "Your profile"
    preferredSheetRows = { $0.rows / 2 }
  }
}
