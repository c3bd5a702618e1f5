import FoundationEssentials
public import PaneKit
public import QwinkleModel
import Terminal
import Timekeeping

/// One qwink, whole: everything that a timeline leaves out or cuts, and what it answers and what answers it.
@MainActor
public final class QwinkDetailViewController: ViewController {
  /// How long the selection must rest before more is fetched for it.
  private static let restTime = Duration.milliseconds(300)

  private let textView = TextView()
  private let feed: QwinkFeed
  private var thread: QwinkThread?
  private var isRevealed = false
  private var rowsAboveQwink = 0
  private var threadTimer: ProgramTimer?

  /// What is shown; nil says that there is nothing.
  public private(set) var qwink: Qwink?

  public init(feed: QwinkFeed) {
    self.feed = feed
    super.init(view: textView)
    title = "Qwink"
    keyContext = .reading
    textView.keyContext = .list
    feed.addObserver(self)
    // It may have come in sight by the window's being made wider.
    textView.layout = { [weak self] _ in
      self?.updateText()
      self?.loadThreadSoon()
    }
    show(nil, isRevealed: false)
  }

  /// Shows `qwink`; what is behind a warning where `isRevealed`. What stands around it follows when the selection rests, where
  /// it can be seen.
  public func show(_ qwink: Qwink?, isRevealed: Bool) {
    let isAnother = qwink?.rowID != self.qwink?.rowID
    self.qwink = qwink
    self.isRevealed = isRevealed
    if isAnother {
      thread = nil
      threadTimer = nil
    }
    updateText()
    if isAnother { textView.scroll(to: 0) }
    loadThreadSoon()
  }

  private func loadThreadSoon() {
    guard let qwink, thread == nil, threadTimer == nil, !view.isHidden, isOnScreen else { return }
    threadTimer = feed.clock.schedule(after: Self.restTime) { [weak self] in
      guard let self else { return }
      if view.isHidden { threadTimer = nil } else { feed.loadThread(of: qwink.originalID) }
    }
  }

  private func updateText() {
    // What is not seen is not made: it is when it comes in sight.
    guard !view.isHidden else { return }
    guard let qwink else {
      textView.paragraphs = Self.nothing
      return
    }
    var lines: [[TextRun<StyleRole>]] = []
    var rowsAbove = 0
    if let ancestors = thread?.ancestors, !ancestors.isEmpty {
      for ancestor in ancestors { lines += brief(ancestor) }
      lines.append([TextRun("↳ answered by", .dim)])
      rowsAbove = textView.rows(of: lines)
    }
    lines += paragraphs(qwink, isRevealed: isRevealed)
    if let descendants = thread?.descendants, !descendants.isEmpty {
      lines += [[], [TextRun(descendants.count == 1 ? "1 answer" : "\(descendants.count) answers", .accent)], []]
      for descendant in descendants { lines += brief(descendant) }
    }
    textView.paragraphs = lines
    // The qwink itself stays in sight when what it answers comes above it.
    if rowsAbove != rowsAboveQwink { textView.scroll(by: rowsAbove - rowsAboveQwink) }
    rowsAboveQwink = rowsAbove
  }

  /// A qwink of the thread, as short as it can be read.
  private func brief(_ qwink: Qwink) -> [[TextRun<StyleRole>]] {
    let time = RelativeTime.short(qwink.createdAt, at: feed.clock.now, in: feed.clock.timeZone)
    let text = QwinkCellData.warning(of: qwink).map { [[TextRun("⚠ \($0)", .warning)]] } ?? qwink.text.runs
    return [heading(qwink) + [TextRun("  \(time)", .dim)]] + text + [[]]
  }

  private func heading(_ qwink: Qwink) -> [TextRun<StyleRole>] {
    [
      TextRun(AvatarInitials.letters(of: qwink.author), AvatarInitials.role(of: qwink.author)), TextRun("  ", .text),
      TextRun(qwink.author.displayName, .name), TextRun("  @\(qwink.author.handle)", .dim),
    ]
  }

  private static let nothing: [[TextRun<StyleRole>]] = [[], [TextRun("Nothing is selected.", .dim)]]

  private func paragraphs(_ qwink: Qwink, isRevealed: Bool) -> [[TextRun<StyleRole>]] {
    var lines: [[TextRun<StyleRole>]] = []
    if let booster = qwink.booster { lines.append([TextRun("↻ \(booster.displayName) boosted", .dim)]) }
    lines += [heading(qwink), []]
    let warning = QwinkCellData.warning(of: qwink)
    if let warning {
      lines.append([
        TextRun("⚠ \(warning)", .warning), TextRun("  z", .key),
        TextRun(isRevealed ? " hides" : " reveals", .dim),
      ])
      lines.append([])
    }
    if warning == nil || isRevealed {
      lines += qwink.text.runs
      lines += attachments(of: qwink) + poll(of: qwink) + card(of: qwink) + links(of: qwink)
    }
    lines.append([])
    lines.append([TextRun(footer(of: qwink), .dim)])
    return lines
  }

  private func attachments(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    guard !qwink.attachments.isEmpty else { return [] }
    return [[]]
      + qwink.attachments.map { attachment in
        let words = attachment.altText.flatMap { $0.isEmpty ? nil : $0 } ?? "not described"
        return [TextRun("▣ \(AttachmentWords.word(attachment.kind)): ", .dim), TextRun(words, .text)]
      }
  }

  private func poll(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    guard let poll = qwink.poll else { return [] }
    let choices = poll.options.enumerated().map { index, option -> [TextRun<StyleRole>] in
      let sign = poll.ownVotes.contains(index) ? "◉ " : "○ "
      let votes = option.votesCount.map { "  \($0)" } ?? ""
      return [TextRun(sign, .dim), TextRun(option.title, .text), TextRun(votes, .dim)]
    }
    let state = poll.isExpired ? "closed" : "open"
    return [[]] + choices + [[TextRun("\(poll.votesCount) votes, \(state)", .dim)]]
  }

  private func card(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    guard let card = qwink.card, !card.title.isEmpty else { return [] }
    var lines: [[TextRun<StyleRole>]] = [[], [TextRun("↗ ", .dim), TextRun(card.title, .strong)]]
    if !card.summary.isEmpty { lines.append([TextRun(card.summary, .dim)]) }
    return lines
  }

  private func links(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    let links = qwink.text.links
    guard !links.isEmpty else { return [] }
    return [[]] + links.enumerated().map { [TextRun("[\($0 + 1)] ", .dim), TextRun($1, .link)] }
  }

  private func footer(of qwink: Qwink) -> String {
    var parts = [RelativeTime.full(qwink.createdAt, in: feed.clock.timeZone)]
    if let editedAt = qwink.editedAt { parts.append("edited \(RelativeTime.full(editedAt, in: feed.clock.timeZone))") }
    parts.append(
      QwinkCellData.audience(of: qwink.visibility)
        ?? (qwink.visibility == .public ? "public" : "not in public timelines"))
    if qwink.repliesCount > 0 { parts.append("↩ \(qwink.repliesCount)") }
    if qwink.boostsCount > 0 { parts.append("↻ \(qwink.boostsCount)") }
    if qwink.favouritesCount > 0 { parts.append("★ \(qwink.favouritesCount)") }
    return parts.joined(separator: " · ")
  }
}

extension QwinkDetailViewController: QwinkFeedObserver {
  public func feed(_ feed: QwinkFeed, didLoad thread: QwinkThread, of id: Qwink.ID) {
    guard id == qwink?.originalID else { return }
    self.thread = thread
    updateText()
  }
}
