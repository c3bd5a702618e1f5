import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The user's scheduled posts.
@MainActor
public final class ScheduledViewController: ManagedListViewController<ScheduledPost> {
  private static let pageSize = 40

  public init(account: Account) {
    super.init(title: ManagedListWords.scheduled, account: account)
  }

  override var keys: [ManagedListKey: String] { [.edit: "change time", .remove: "cancel"] }
  override var emptyWords: String { ManagedListWords.nothingScheduled }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.scheduledPosts(limit: Self.pageSize), completion: done)
  }

  override func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? {
    account.fetch(.scheduledPostsPage(cursor), completion: done)
  }

  override func placeKey(of row: ScheduledPost) -> String? { row.id.rawValue }

  override func text(of item: ScheduledPost) -> RowText {
    var body: [[TextRun<StyleRole>]] = []
    if !item.contentWarning.isEmpty { body.append([TextRun("⚠ \(item.contentWarning)", .warning)]) }
    body += item.text.split(separator: "\n").map { [TextRun(String($0), .text)] }
    if let poll = item.poll { body += poll.options.map { [TextRun("○ ", .dim), TextRun($0, .text)] } }
    if !item.attachments.isEmpty { body.append([TextRun(Counted.words(item.attachments.count, "file"), .dim)]) }
    return RowText(head: [TextRun(RelativeTime.full(item.publishAt, in: account.timeZone), .name)], body: body)
  }

  override func open(_ row: ScheduledPost) { edit(row) }

  override func edit(_ item: ScheduledPost) {
    ask(ManagedListWords.publishAt) { [weak self] text in
      guard let self else { return }
      guard let date = TypedTime.future(text, at: account.clock.now, in: account.timeZone) else {
        return say(EntryWords.noTime(text), .warning)
      }
      account.change(by: .reschedule(item.id, to: date), failing: "Changing the time") { [weak self] new in
        self?.change { $0.update { $0.id == item.id ? new : nil } }
        guard let self else { return }
        say(ManagedListWords.publishedAt(RelativeTime.full(new.publishAt, in: account.timeZone)), .new)
      }
    }
  }

  override func remove(_ item: ScheduledPost) {
    navigator?.ask(ManagedListWords.unscheduleQuestion, again: nil) { [weak self] in
      self?.account.change(by: .unschedule(item.id), failing: "Cancelling the scheduled post") { [weak self] in
        self?.change { $0.remove { $0.id == item.id } }
        self?.say(ManagedListWords.unscheduled, .new)
      }
    }
  }
}
