public import QwinkleAccount
public import QwinkleModel
import Terminal

/// The cached qwinks that match one of the user's filters, newest first. The filter doesn't hide or cover them here;
/// all other rules apply.
@MainActor
public final class FilterMatchesViewController: CachedQwinksViewController {
  private let filter: ContentFilter

  public init(
    _ filter: ContentFilter, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.filter = filter
    super.init(title: ManagedListWords.matches(of: filter), account: account, settings: settings, shelf: shelf)
  }

  override var rule: ViewRule? { .filter(filter) }

  override func displayed(_ qwink: Qwink) -> Qwink { qwink.unfiltered(by: filter) }

  /// Omits the user's own qwinks, which the filter never matches.
  override func shown(_ qwinks: [Qwink]) -> [Qwink] {
    let me = account.identity.me?.id
    return super.shown(qwinks.filter { $0.author.id != me })
  }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(ManagedListWords.noMatches, PlaceholderWords.goesBack)
  }
}
