import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The notifications of one sender, including filtered ones. They aren't marked as read.
@MainActor
public final class FilteredNotificationsViewController: FetchedListViewController<AccountNotification> {
  private static let pageSize = 40

  private let qwinker: Qwinker
  private let settings: ReaderSettings

  public init(
    of qwinker: Qwinker, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.qwinker = qwinker
    self.settings = settings
    super.init(title: FilteredWords.title(of: qwinker), account: account)
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
  }

  override var hints: [Action] { (rows.isEmpty ? [] : [.open]) + [.author, .back] }

  override public var selectedQwink: Qwink? { selectedRow?.qwink }
  override public var selectedQwinker: Qwinker? { selectedRow?.qwinker ?? qwinker }

  override var filterPlace: FilterPlace? { .notifications }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(NotificationWords.nothingFrom(qwinker), PlaceholderWords.goesBack)
  }

  override func placeKey(of row: AccountNotification) -> String? { row.id.rawValue }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.notifications(of: qwinker.id, limit: Self.pageSize)) { [weak self] in
      done($0.map { self?.shown($0) ?? $0 })
    }
  }

  override func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? {
    account.fetch(.notificationsPage(cursor)) { [weak self] in done($0.map { self?.shown($0) ?? $0 }) }
  }

  /// Returns a page without hidden notifications, and without notifications of other senders, which some servers add.
  private func shown(_ page: Page<AccountNotification>) -> Page<AccountNotification> {
    page.filtered { $0.qwinker.id == qwinker.id && !account.leavesOut($0) }
  }

  override func open(_ row: AccountNotification) {
    navigator?.show(row.qwink.map { .thread($0) } ?? .qwinker(row.qwinker))
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let notification = rows[index]
    let group = NotificationGroup(notification)
    return LinesCell(
      NotificationCellData(
        group, cover: notification.qwink.flatMap { account.disclosure(of: $0, in: filterPlace).cover },
        isRevealed: notification.qwink.map(account.timelines.isRevealed) ?? false, me: account.identity.me?.id,
        now: account.clock.now, zone: account.timeZone),
      density: settings.density, pictures: pictures?.cell(of: notification.qwinker))
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? { .qwinker(rows[index].qwinker) }
}

extension FilteredNotificationsViewController: AccountObserver {
  /// A revealed qwink looks different.
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    reloadRows { $0.qwink?.originalID == qwink.originalID }
  }
}
