import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal

/// A row of the trends screen.
public enum Trend: Hashable, Sendable, Identifiable {
  /// A row that opens the timeline of trending qwinks.
  case qwinks
  case tag(Tag)
  case link(Qwink.Card)

  public var id: String {
    switch self {
    case .qwinks: ""
    case .tag(let tag): "#\(tag.name)"
    case .link(let card): card.url
    }
  }
}

extension Trend: PagedElement {}

/// The server's trending qwinks, hashtags and links.
@MainActor
public final class TrendsViewController: FetchedListViewController<Trend> {
  private static let count = 20

  private let links: LinkActions
  private var qwinksFetch: Fetch?
  private var linksFetch: Fetch?

  public init(account: Account, links: LinkActions) {
    self.links = links
    super.init(title: ManagedListWords.trends, account: account)
    on(.openLink, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in
      if let self, let row = selectedRow { open(row) }
    }
    on(.copyLink, when: { [weak self] in self?.selectedLink != nil }) { [weak self] in
      if let address = self?.selectedLink { self?.navigator?.copy(address.target) }
    }
  }

  override var hints: [Action] { (rows.isEmpty ? [] : [.open]) + [.back] }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(TimelineWords.nothingTrending, PlaceholderWords.goesBack, PlaceholderWords.refreshes)
  }

  override func placeKey(of row: Trend) -> String? { row.id }

  /// Sends three requests. A server may support only some of them, so the fetch fails only if all three fail.
  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    var qwinks: Result<Page<Qwink>, DownloadError>?
    var tags: Result<Page<Tag>, DownloadError>?
    var cards: Result<[Qwink.Card], DownloadError>?
    func finish() {
      guard let qwinks, let tags, let cards else { return }
      let (someQwinks, someCards) = (try? qwinks.get().items, try? cards.get())
      if case .failure(let error) = tags, someQwinks == nil, someCards == nil { return done(.failure(error)) }
      account.connection.noteFound(.trends)
      let items = ((try? tags.get())?.items ?? []).map { Trend.tag($0) } + (someCards ?? []).map { Trend.link($0) }
      done(.success(Page(items: (someQwinks?.isEmpty == false ? [.qwinks] : []) + items)))
    }
    // One qwink is enough to decide whether to list the row for trending qwinks. The screen that the row opens fetches
    // the others.
    qwinksFetch = account.fetch(.timeline(.trending, limit: 1)) {
      qwinks = $0
      finish()
    }
    linksFetch = account.fetch(.trendingLinks(limit: Self.count)) {
      cards = $0
      finish()
    }
    return account.fetch(.trendingTags(limit: Self.count)) {
      tags = $0
      finish()
    }
  }

  override func open(_ row: Trend) {
    switch row {
    case .qwinks: navigator?.show(.timeline(.trending))
    case .tag(let tag): navigator?.show(.timeline(.tag(tag.name)))
    case .link(let card): if let address = WebAddress(card.url) { links.browse(address, after: "") }
    }
  }

  private var selectedLink: WebAddress? {
    if case .link(let card) = selectedRow { WebAddress(card.url) } else { nil }
  }

  override func text(of item: Trend) -> RowText {
    switch item {
    case .qwinks: return RowText(head: [TextRun(ManagedListWords.trendingQwinks, .name)])
    case .tag(let tag): return RowText(tag, uses: tag.usesCount.map { Counted.words($0, "post") })
    case .link(let card):
      let note = LinkNote(text: card.title, url: card.url).map { [$0.run] } ?? []
      let words = WebAddress(card.url)?.words ?? card.url
      return RowText(
        head: [TextRun(card.title.isEmpty ? words : card.title, .strong)] + note, trailing: card.providerName,
        body: [[TextRun(words, .link)]])
    }
  }
}
