import PaneKit
import QwinkleModel
import Terminal

/// The lines of a chat message in linear form, for terminals that only append text. Every message names its author. The
/// delivery state has its own line, because it may be known only later.
enum ChatCellWords {
  static func lines(_ row: ChatRow) -> [String] {
    var lines = [row.day, row.isFirstNew ? "\(MessagesWords.new):" : nil].compactMap { $0 }
    let who = row.isMine ? MessagesWords.me : row.qwink?.author.shortName ?? row.name ?? ""
    var words: [String] = []
    if let warning = row.warning {
      let (key, word) = row.isRevealed ? WarningWords.hides : WarningWords.shows
      words.append("warning: \(warning), \(key) \(word)")
    }
    if row.isRevealed { words += CellWords.lines(row.paragraphs + row.extras).filter { !$0.isEmpty } }
    lines.append("\(who), \(row.time): \(words.first ?? "")")
    lines += words.dropFirst()
    switch row.delivery {
    case nil: break
    // No countdown for `held`, because a screen reader would read it aloud each second.
    case .sending, .held: lines.append(MessagesWords.sending)
    case .sent: lines.append(MessagesWords.sent)
    case .failed(let sentence):
      let keys = MessagesWords.notSentKeys.map { "\($0.key) \($0.word)" }.joined(separator: ", ")
      lines += ["\(MessagesWords.notSentStart)\(sentence)", "\(keys)."]
    }
    return lines
  }
}
