import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Timekeeping

@testable import PaneKit
@testable import QwinkleAccount
@testable import QwinkleScreens

/// Generates hostile responses, decodes them like the program, and returns the cells that show them.
@MainActor
final class HostileCells {
  private var text: HostileText
  private lazy var answers = FilledAnswers { [unowned self] in text.json() }
  private let now = Date(timeIntervalSince1970: 1_767_225_600)

  init(seed: UInt64) {
    text = HostileText(seed: seed)
  }

  /// Number of texts generated.
  var count: Int { text.count }

  /// Returns the cells of a new response, whose kind depends on `round`.
  func next(_ round: Int) throws -> [any ListCell] {
    switch round % 8 {
    case 0: return try WireDecoder.notifications(from: answers.notifications(20), link: nil).items.map(cell)
    case 1: return try WireDecoder.conversations(from: answers.conversations(15), link: nil).items.map(cell)
    case 2:
      return try WireDecoder.qwinkers(from: answers.accounts(40), link: nil).items.flatMap { qwinker in
        [LinesCell(qwinker), profile(qwinker)]
      }
    case 3:
      let versions = try WireDecoder.versions(from: answers.versions(12))
      let qwink = try WireDecoder.qwink(from: answers.status())
      let paragraphs = VersionWords.paragraphs(EditHistory(versions), of: qwink, zone: .gmt, columns: 80)
      return [
        LinesCell { columns in
          paragraphs.flatMap { TextLayout.wrapParagraph($0, columns: max(1, columns - 3)) }
            .map { CellLine(column: 1, runs: $0) }
        }
      ]
    case 4:
      let found = try WireDecoder.searchResults(from: answers.searchResults())
      return found.tags.map { LinesCell($0) } + found.qwinks.map(whole)
    default: return try WireDecoder.qwinks(from: answers.statuses(40), link: nil).items.map(cell)
    }
  }

  private func cell(_ qwink: Qwink) -> any ListCell {
    QwinkCell(
      QwinkCellData(qwink, disclosure(qwink), quote: quote(in: qwink), isRevealed: true, now: now, zone: .gmt))
  }

  private func disclosure(_ qwink: Qwink) -> Disclosure { Disclosure(of: qwink, in: .public, at: now) }

  private func quote(in qwink: Qwink) -> QuoteDisclosure? {
    qwink.quote.map { QuoteDisclosure(of: $0, in: .public, at: now) }
  }

  private func whole(_ qwink: Qwink) -> any ListCell {
    WholeQwinkCell(
      WholeQwink(
        QwinkDescription(of: qwink, cover: disclosure(qwink).cover, quote: quote(in: qwink), at: now),
        isRevealed: true, zone: .gmt))
  }

  private func cell(_ notification: AccountNotification) -> any ListCell {
    let group = NotificationGroup.groups(of: [notification], unread: [notification.id], zone: .gmt)[0]
    let data = NotificationCellData(
      group, cover: notification.qwink.flatMap { disclosure($0).cover }, isRevealed: true, me: nil, now: now, zone: .gmt
    )
    return LinesCell(data, density: notification.id.rawValue.count.isMultiple(of: 2) ? .compact : .comfortable)
  }

  private func cell(_ conversation: Conversation) -> any ListCell {
    LinesCell(
      ConversationCellData(
        conversation, cover: conversation.lastQwink.flatMap { disclosure($0).cover }, isMine: false, me: nil,
        failed: nil,
        now: now, zone: .gmt))
  }

  private func profile(_ qwinker: Qwinker) -> any ListCell {
    let data = QwinkerProfileData(
      qwinker, relationship: nil, me: nil, isSignedIn: true, isWhole: true, zone: .gmt)
    return LinesCell { QwinkerProfileLayout.lines(data, columns: $0) }
  }
}

/// Draws the cells one below another, in as many frames as necessary.
@MainActor
func pictures(of cells: [any ListCell], size: Size) -> [Frame] {
  var frames: [Frame] = []
  var former: Surface?
  var rest = cells[...]
  while !rest.isEmpty {
    let surface = Surface(size: size, form: .unicode, after: former)
    former = surface
    var row = 0
    while row < size.rows, let cell = rest.popFirst() {
      let rows = cell.rows(forColumns: size.columns)
      let frame = Rect(row: row, column: 0, rows: rows, columns: size.columns)
      let clip = Rect(row: 0, column: 0, rows: size.rows, columns: size.columns)
      cell.draw(
        in: Canvas(surface: surface, frame: frame, clip: clip, theme: .terminal),
        selection: rows % 2 == 0 ? .active : .none)
      row += rows
    }
    frames.append(Frame(grid: surface.grid))
  }
  return frames
}
