import QwinkleModel
public import QwinkleService
import Timekeeping

/// A page requested for a timeline.
struct PageDownload {
  enum Purpose {
    /// The newest page.
    case refresh
    /// The page after the newest one, which shows whether the newest one ends the list.
    case confirmation(of: Page<Qwink>)
    /// The page at the end of the list.
    case older(PageCursor)
    /// A page of the gap being filled.
    case gap
    /// A page that shows how many rows are missing at a gap.
    case gapCount(PageCursor)
    /// A page of a catch-up. `then` is called after it is merged, or with the error.
    case catchUp(PageCursor, then: @MainActor (DownloadError?) -> Void)
  }

  var name: TimelineName
  var purpose: Purpose
  /// ``ReactionSwitches/settledCount`` when the page was requested.
  var settledCount: Int
}

extension Timelines {
  @discardableResult
  func load(
    _ request: Request<Page<Qwink>>, of name: TimelineName, for purpose: PageDownload.Purpose
  ) -> DownloadIdentifier {
    let download = PageDownload(name: name, purpose: purpose, settledCount: reactions.settledCount)
    let identifier = connection.start(request, delegate: self)
    downloads[identifier] = download
    return identifier
  }

  /// Applies changes that the server may have made after it created the page.
  private func updated(_ page: Page<Qwink>, since settledCount: Int) -> Page<Qwink> {
    followNewIDs(in: streamedChanges.applied(to: reactions.applied(to: page, since: settledCount)))
  }

  private func didLoad(_ page: Page<Qwink>, by download: PageDownload) {
    let name = download.name
    switch download.purpose {
    case .refresh: didLoadNewest(page, of: name)
    case .confirmation(let newest):
      guard page.isComplete else { return merge(newest, into: name) }
      // Apply changes received since the first page.
      let both = reactions.applied(to: newest.followed(by: page), since: download.settledCount)
      merge(streamedChanges.applied(to: both), into: name)
    case .older(let cursor):
      entries[name]?.state.error = nil
      append(page, at: cursor, to: name)
    case .gap:
      entries[name]?.state.error = nil
      mergeGap(page, of: name)
    case .gapCount(let cursor): countGap(cursor, by: page, in: name)
    case .catchUp(let cursor, let then): mergeCatchUp(page, at: cursor, into: name) { then(nil) }
    }
  }

  private func didFail(_ download: PageDownload, with error: DownloadError) {
    let name = download.name
    switch download.purpose {
    case .refresh:
      entries[name]?.state.note(error, at: connection.clock.now)
      didRefresh(name, isIdentified: false)
    case .confirmation(let newest): merge(newest, into: name)
    case .older, .gap:
      entries[name]?.state.noteOlder(error)
      endFilling(name)
      didLoadMore(name)
    case .gapCount: break
    case .catchUp(_, let then): then(error)
    }
  }
}

extension Timelines: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    guard let page = answer as? Page<Qwink>, let download = downloads.removeValue(forKey: identifier) else { return }
    didLoad(updated(page, since: download.settledCount), by: download)
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    guard let download = downloads.removeValue(forKey: identifier) else { return }
    guard case .quotes(let quoted) = download.name else { return didFail(download, with: error) }
    connection.explain(error, by: AbilityNeed(.quotes, of: quoted)) { [weak self] in
      self?.didFail(download, with: $0)
    }
  }
}

extension Page<Qwink> {
  /// Returns a page with the items of both pages. `next` is the page after this one.
  fileprivate func followed(by next: Page<Qwink>) -> Page<Qwink> {
    var both = self
    let haveSources = sources.count == items.count && next.sources.count == next.items.count
    both.items += next.items
    both.sources = haveSources ? sources + next.sources : []
    both.changed.formUnion(next.changed.map { items.count + $0 })
    both.older = next.older
    return both
  }
}
