import PaneKit
import QwinkleAccount
import QwinkleModel
import SafeText

/// Reporting a qwink or a qwinker to the moderators. Pressing the key only types the beginning of the `report` command,
/// with a hint that names the subject of the report. Nothing is sent until the user completes the command.
extension QwinkCommand {
  static let reporting = [report]

  private static let report = QwinkCommand(
    .report, when: { qwink, account in !account.isMe(qwink.author) },
    perform: { qwink, context in
      context.navigator.type(
        "report ", hint: ActionWords.reportHint(qwink.author, isOfQwink: true, rules: context.account.identity.rules))
    })
}

extension QwinkerCommand {
  static let report = QwinkerCommand(
    .report, refusing: { qwinker, account in account.isMe(qwinker) ? ActionWords.cannotReportYourself : nil }
  ) { qwinker, context in
    context.navigator.type(
      "report ", hint: ActionWords.reportHint(qwinker, isOfQwink: false, rules: context.account.identity.rules))
  }
}

/// A typed report: `spam Ten times a day`, `rule 2, 3 Ten times a day`, or only a comment.
struct TypedReport: Hashable {
  /// The word before the numbers of the broken rules.
  static let ruleWord = "rule"

  var category = Report.Category.other
  /// The broken rules, as 1-based positions in the server's list.
  var ruleNumbers: [Int] = []
  var comment: String
  /// Whether the text seems to name rules but their numbers can't be parsed.
  var isUnclear = false

  init(_ text: String) {
    comment = text
    let first = text.prefix { !$0.isWhitespace }
    let word = (first.hasSuffix(":") ? first.dropLast() : first).lowercased()
    let rest = text.dropFirst(first.count).trimmed()
    if let category = Report.Category(rawValue: word) {
      self.category = category
      comment = rest
    } else if [Self.ruleWord, "rules"].contains(word), rest.first?.isNumber == true {
      guard let (numbers, words) = Self.numbers(before: rest) else {
        isUnclear = true
        return
      }
      category = .violation
      ruleNumbers = numbers
      comment = words
    }
  }

  /// Parses numbers separated by commas, `and` or `&`. Returns the numbers and the text after them, or nil if a number
  /// can't be parsed.
  private static func numbers(before text: String) -> ([Int], String)? {
    var (numbers, rest) = ([Int](), text)
    while true {
      let digits = rest.prefix { $0.isNumber }
      guard let number = Int(digits) else { return nil }
      numbers.append(number)
      rest = String(rest.dropFirst(digits.count))
      if let next = rest.first, next.isLetter { return nil }
      let following = rest.trimmed()
      let joint = [",", "and ", "& "].first { following.hasPrefix($0) } ?? ""
      let next = following.dropFirst(joint.count).trimmed()
      guard !joint.isEmpty, next.first?.isNumber == true else {
        let isEnd = following.first.map { ",;:.".contains($0) } ?? false
        return (numbers, isEnd ? following.dropFirst().trimmed() : following)
      }
      rest = next
    }
  }
}
