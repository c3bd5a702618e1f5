import QwinkleModel
public import QwinkleService
import Timekeeping

extension Inbox {
  /// The purpose of a request.
  enum Download {
    /// The newest conversations.
    case refresh
    /// Older conversations.
    case older
    /// A thread of an open conversation.
    case thread(ThreadFetch, in: Conversation.ID)
    /// The home timeline or the notifications, which are searched for messages.
    case search
    /// An account that is mentioned only by handle.
    case stranger
  }

  func load<Answer>(_ request: Request<Answer>, for purpose: Download) {
    downloads[connection.start(request, delegate: self)] = purpose
  }

  private func didFail(_ download: Download, with error: DownloadError) {
    switch download {
    case .refresh: state.note(error, at: clock.now)
    case .older: state.noteOlder(error)
    case .thread(let fetch, let id):
      if case .notFound = error, lookElsewhere(than: fetch, in: id) { break }
      chats[id]?.state.note(error, at: clock.now)
    case .search: if error.isCancelled { state.wasCancelled = true } else { search.error = error }
    case .stranger: break
    }
    didEnd(download)
  }

  private func didEnd(_ download: Download) {
    switch download {
    case .refresh: if !isLooking { didRefresh() }
    case .older:
      state.isLoadingMore = false
      tellState()
    case .thread(_, let id): didFetchThread(of: id)
    case .search: didSearchList()
    case .stranger: didLookUpStranger()
    }
  }
}

extension Inbox: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    guard let download = downloads.removeValue(forKey: identifier) else { return }
    switch (download, answer) {
    case (.refresh, let page as Page<Conversation>): mergeFirst(page)
    case (.older, let page as Page<Conversation>): mergeOlder(page)
    case (.thread(let fetch, let id), let thread as QwinkThread): merge(asMessages(thread, in: id), fetch, in: id)
    case (.search, let page as Page<Qwink>): search.messages.take(page.items)
    case (.search, let page as Page<AccountNotification>): search.messages.take(page)
    case (.stranger, let qwinker as Qwinker): search.messages.take(qwinker)
    default: break
    }
    didEnd(download)
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if let download = downloads.removeValue(forKey: identifier) { didFail(download, with: error) }
  }
}

extension FoundMessages {
  /// Adds the posts of mentions.
  fileprivate mutating func take(_ page: Page<AccountNotification>) {
    take(page.items.filter { $0.kind == .mention }.compactMap(\.qwink), isNaming: true)
  }
}
