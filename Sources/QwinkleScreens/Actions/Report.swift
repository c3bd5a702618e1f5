import PaneKit
import QwinkleAccount
import QwinkleModel
import SafeText

/// Reporting a qwink, or somebody, to the people who run the server. The key begins the command, which says what is
/// reported; nothing is sent before that is finished.
extension QwinkCommand {
  static let reporting = [report]

  private static let report = QwinkCommand(
    .report, when: { qwink, context in context.account.identity.me?.id != qwink.author.id },
    perform: { qwink, context in
      context.navigator.type("report ", hint: ActionWords.reportHint(qwink.author, isOfQwink: true))
    })
}

extension QwinkerCommand {
  static let report = QwinkerCommand(.report) { qwinker, context in
    guard context.account.identity.me?.id != qwinker.id else {
      return context.navigator.say(ActionWords.cannotReportYourself, .warning)
    }
    context.navigator.type("report ", hint: ActionWords.reportHint(qwinker, isOfQwink: false))
  }
}

/// A report as it is typed: `spam Ten times a day`, or words alone.
struct TypedReport: Hashable {
  var category = Report.Category.other
  var comment: String

  init(_ text: String) {
    comment = text
    let first = text.prefix { !$0.isWhitespace }
    let word = first.hasSuffix(":") ? first.dropLast() : first
    guard let category = Report.Category(rawValue: word.lowercased()) else { return }
    self.category = category
    comment = text.dropFirst(first.count).trimmed()
  }
}
