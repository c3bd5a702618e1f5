import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The senders of filtered notifications. The user accepts or dismisses each of them.
@MainActor
public final class NotificationRequestsViewController: FetchedListViewController<NotificationRequest> {
  private static let pageSize = 40

  public init(account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil) {
    super.init(title: FilteredWords.title, account: account)
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    view.keyContext = .notificationRequests
    let hasSelection: @MainActor () -> Bool = { [weak self] in self?.selectedRow != nil }
    on(.acceptNotifications, when: hasSelection) { [weak self] in self?.accept() }
    on(.dismissNotifications, when: hasSelection) { [weak self] in self?.askToDismiss() }
  }

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.acceptNotifications, .dismissNotifications, .open, .author]) + [.back]
  }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(
      FilteredWords.none, PlaceholderWords.goesBack, (":notification-policy", FilteredWords.rules))
  }

  override public var selectedQwinker: Qwinker? { selectedRow?.qwinker }

  override func placeKey(of row: NotificationRequest) -> String? { row.id.rawValue }

  override var filterPlace: FilterPlace? { .notifications }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.notificationRequests(limit: Self.pageSize)) { [weak self] result in
      done(result)
      if case .success = result { self?.account.filteredNotifications.refresh() }
    }
  }

  override func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? {
    account.fetch(.notificationRequestsPage(cursor), completion: done)
  }

  override func open(_ row: NotificationRequest) { navigator?.show(.filteredNotifications(from: row.qwinker)) }

  override func cell(forRowAt index: Int) -> any ListCell {
    let request = rows[index]
    return LinesCell(
      NotificationRequestCellData(
        request, cover: request.lastQwink.flatMap { account.disclosure(of: $0, in: filterPlace).cover },
        isHidden: request.lastQwink.map { account.leavesOut($0, in: filterPlace) } ?? false,
        me: account.identity.me?.id,
        now: account.clock.now, zone: account.timeZone), pictures: pictures?.cell(of: request.qwinker))
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? { .qwinker(rows[index].qwinker) }

  private func accept() {
    guard let request = selectedRow else { return }
    answer(request, accepts: true)
  }

  /// Requires confirmation, because servers delete the notifications.
  private func askToDismiss() {
    guard let request = selectedRow else { return }
    navigator?.ask(FilteredWords.dismissQuestion(request), again: nil) { [weak self] in
      self?.answer(request, accepts: false)
    }
  }

  private func answer(_ request: NotificationRequest, accepts: Bool) {
    if let refusal = account.connection.refusal(of: .filteredNotifications) { return say(refusal, .warning) }
    let filtered = account.filteredNotifications
    filtered.answer(request, accepts: accepts)
    navigator?.say(FilteredWords.answering(request, accepts: accepts), .dim) { [weak filtered] in
      filtered?.isAnswering(request.id) ?? false
    }
  }
}

extension NotificationRequestsViewController: AccountObserver {
  public func filteredNotifications(
    _ filtered: FilteredNotifications, didAnswer request: NotificationRequest, accepted: Bool?
  ) {
    change { $0.remove { $0.id == request.id } }
  }
}
