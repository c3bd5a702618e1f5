import FoundationEssentials
import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The server's announcements.
@MainActor
public final class AnnouncementsViewController: ManagedListViewController<Announcement> {
  private let links: LinkActions

  public init(account: Account, links: LinkActions) {
    self.links = links
    super.init(title: ManagedListWords.announcements, account: account)
    on(.openLink) { [weak self] in self?.openLink(.only) }
    on(.openFirstLink) { [weak self] in self?.openLink(.first) }
  }

  override var keys: [ManagedListKey: String] { [.remove: "dismiss"] }

  override var hints: [Action] {
    let hasLink = selectedRow.map { !$0.text.links.isEmpty } ?? false
    return super.hints.compactMap { $0 != .open ? $0 : hasLink ? .openLink : nil }
  }

  override var emptyWords: String { ManagedListWords.noAnnouncements }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.announcements) { done($0.map { Page(items: $0) }) }
  }

  override func placeKey(of row: Announcement) -> String? { row.id.rawValue }

  override func isUnread(_ row: Announcement) -> Bool { !row.isRead }

  override func text(of item: Announcement) -> RowText {
    let zone = account.timeZone
    let time = item.publishedAt.map { RelativeTime.full($0, in: zone) } ?? ""
    var body = item.text.runs
    if let start = item.startsAt {
      body.append([TextRun(Self.span(from: start, to: item.endsAt, in: zone), .dim)])
    }
    let mark = item.isRead ? TextRun("  ", StyleRole.dim) : TextRun("• ", StyleRole.new)
    return RowText(head: [mark, TextRun(time, item.isRead ? .dim : .name)], body: body)
  }

  override func open(_ row: Announcement) { openLink(.only) }

  override func remove(_ item: Announcement) {
    guard !item.isRead else { return say(ManagedListWords.alreadyRead, .dim) }
    account.change(by: .dismissAnnouncement(item.id), failing: "Dismissing the announcement") { [weak self] in
      self?.change { $0.modify { if $0.id == item.id { $0.isRead = true } } }
    }
  }

  /// Returns the time span of an event, such as `22 Nov 2026, 06:00 – 07:00`.
  private static func span(from start: Date, to end: Date?, in zone: ClockZone) -> String {
    let first = RelativeTime.full(start, in: zone)
    guard let end else { return first }
    let isSameDay = RelativeTime.day(start, at: end, in: zone) == "Today"
    return "\(first) – \(isSameDay ? RelativeTime.clock(end, in: zone) : RelativeTime.full(end, in: zone))"
  }

  /// Opens a link of the selected announcement, or lists its links in a sheet.
  private func openLink(_ choice: LinkActions.Choice) {
    guard let row = selectedRow else { return say(ManagedListWords.noneSelected, .dim) }
    let author = Qwinker(id: "", userName: "")
    links.open(Qwink(id: "", author: author, createdAt: account.clock.now, text: row.text), choice: choice, over: self)
  }
}
