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
      context.navigator.type(
        "report ", hint: ActionWords.reportHint(qwink.author, isOfQwink: true, rules: context.account.identity.rules))
    })
}

extension QwinkerCommand {
  static let report = QwinkerCommand(.report) { qwinker, context in
    guard context.account.identity.me?.id != qwinker.id else {
      return context.navigator.say(ActionWords.cannotReportYourself, .warning)
    }
    context.navigator.type(
      "report ", hint: ActionWords.reportHint(qwinker, isOfQwink: false, rules: context.account.identity.rules))
  }
}

/// A report as it is typed: `spam Ten times a day`, `rule 2, 3 Ten times a day`, or words alone.
struct TypedReport: Hashable {
  /// Stands before the numbers of rules.
  static let ruleWord = "rule"

  var category = Report.Category.other
  /// The rules that are broken, by their places in the server's list, from 1.
  var ruleNumbers: [Int] = []
  var comment: String

  init(_ text: String) {
    comment = text
    let first = text.prefix { !$0.isWhitespace }
    let word = (first.hasSuffix(":") ? first.dropLast() : first).lowercased()
    let rest = text.dropFirst(first.count).trimmed()
    if let category = Report.Category(rawValue: word) {
      self.category = category
      comment = rest
    } else if word == Self.ruleWord, let (numbers, words) = Self.numbers(before: rest) {
      category = .violation
      ruleNumbers = numbers
      comment = words
    }
  }

  /// Numbers with commas between, and what follows them; nil if the text doesn't begin so.
  private static func numbers(before text: String) -> ([Int], String)? {
    var (numbers, rest) = ([Int](), text)
    while true {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits) else { return nil }
      numbers.append(number)
      let following = rest.dropFirst(digits.count)
      if let end = following.first, !end.isWhitespace, end != ",", end != ":" { return nil }
      rest = following.trimmed()
      switch rest.first {
      case ",": rest = rest.dropFirst().trimmed()
      case ":": return (numbers, rest.dropFirst().trimmed())
      default: return (numbers, rest)
      }
    }
  }

  /// The ids of the rules among those of the server, or the number of the first that isn't there.
  func rules(among rules: [ServerRule]) -> Result<[ServerRule.ID], NoRule> {
    var ids: [ServerRule.ID] = []
    for number in ruleNumbers {
      guard rules.indices.contains(number - 1) else { return .failure(NoRule(number: number)) }
      if !ids.contains(rules[number - 1].id) { ids.append(rules[number - 1].id) }
    }
    return .success(ids)
  }

  struct NoRule: Error, Hashable {
    var number: Int
  }
}
