import PaneKit
import QwinkleModel
import Terminal

/// The row that shows an entry's state as labelled fields, `Visibility  Public (^T)   CW  none (^X w)`, and the
/// character count at the right. A narrow row shows fewer fields and describes the visibility in fewer words. If even
/// the shortest text of the visibility doesn't fit, it is truncated.
@MainActor
struct EntryFields {
  /// Columns between two fields.
  static let gap = 3

  private let composer: EntryComposer
  private let keymap: Keymap
  /// Actions of the fields that are shown in lines above the text. The row omits these fields.
  private let shown: Set<Action>

  init(of composer: EntryComposer, keymap: Keymap, shownElsewhere shown: Set<Action>) {
    self.composer = composer
    self.keymap = keymap
    self.shown = shown
  }

  /// Returns the fields that fit in `columns`, from the left.
  func leading(columns: Int) -> [BarView.Item] {
    let activity = EntryWords.activity(of: composer).map { BarView.Item($0, .accent, priority: 13) }
    let others = [activity].compactMap(\.self) + count
    let room = columns - others.reduce(0) { $0 + Self.columns(of: $1) + Self.gap }
    return fields(columns: room) + [activity].compactMap(\.self)
  }

  var trailing: [BarView.Item] { count }

  private var count: [BarView.Item] {
    guard composer.activity != .fetching else { return [] }
    if let parts = composer.parts {
      return [BarView.Item(EntryWords.parts(parts.count, composer.threadForm), .dim, priority: 11)]
    }
    let left = composer.remaining
    let words = left.map { EntryWords.count($0, limit: composer.characterLimit) } ?? EntryWords.tooLong
    return [BarView.Item(words, EntryWords.role(ofRemaining: left), priority: 11)]
  }

  // MARK: Fields

  private func fields(columns: Int) -> [BarView.Item] {
    let audiences = EntryWords.audiences(of: composer).map { keymap.naming($0) }
    // The recipients of a direct message, and the question “Who may read it?”, take precedence over the other fields.
    if composer.isAudienceOpen || composer.entry.visibility == .direct {
      for words in audiences {
        let visibility = visibility(words)
        if Self.columns(of: visibility) <= columns {
          return [visibility] + others(fitting: columns, beside: visibility)
        }
      }
    } else {
      let all = others
      // The other fields are dropped before the visibility is reduced to its shortest text.
      for choices in [audiences.dropLast(), audiences.suffix(1)] {
        for count in stride(from: all.count, through: 0, by: -1) {
          let others = all.prefix(count)
          let rest = columns - others.reduce(0) { $0 + Self.columns(of: $1) + Self.gap }
          for words in choices where Self.columns(of: visibility(words)) <= rest { return [visibility(words)] + others }
        }
      }
    }
    let words = DisplayWidth.truncated(audiences.last ?? "", to: max(1, columns))
    return [BarView.Item([TextRun(words, role)], priority: 12, action: .entryVisibility)]
  }

  private func others(fitting columns: Int, beside first: BarView.Item) -> [BarView.Item] {
    var rest = columns - Self.columns(of: first)
    return others.prefix {
      rest -= Self.columns(of: $0) + Self.gap
      return rest >= 0
    }
  }

  private var role: StyleRole { composer.isAudienceOpen ? .warning : .text }

  private func visibility(_ words: String) -> BarView.Item {
    // While the audience is undecided, the field is a question that already names the key for choosing it, so it has no
    // label.
    guard !composer.isAudienceOpen else {
      return BarView.Item([TextRun(words, role)], priority: 12, action: .entryVisibility)
    }
    let action: Action? = composer.canChangeVisibility && composer.activity == .writing ? .entryVisibility : nil
    return field(EntryWords.visibilityLabel, words, action, priority: 12)
  }

  /// The fields of the content warning, the language and the quote policy, except fields that are shown in a line above
  /// the text. The policy is first once the user has chosen it. The language precedes the warning if only the language
  /// is set. Empty while the fields can't be changed.
  private var others: [BarView.Item] {
    guard composer.activity == .writing else { return [] }
    var others: [BarView.Item] = []
    if !shown.contains(.entryWarning) {
      let words = composer.contentWarning.isEmpty ? EntryWords.noWarning : composer.contentWarning
      others.append(field(EntryWords.warningLabel, words, .entryWarning, priority: 3))
    }
    if !shown.contains(.entryLanguage) {
      let words = composer.language.isEmpty ? EntryWords.usualLanguage : composer.language
      let language = field(EntryWords.languageLabel, words, .entryLanguage, priority: 2)
      let isFirst = !composer.language.isEmpty && composer.contentWarning.isEmpty
      others.insert(language, at: isFirst ? 0 : others.count)
    }
    if composer.canChooseQuotePolicy {
      let words = composer.quotePolicy.map(QuoteWords.name) ?? QuoteWords.usualPolicy
      let quotes = field(QuoteWords.policyLabel, words, .entryQuotes, priority: 1)
      others.insert(quotes, at: composer.hasOwnQuotePolicy ? 0 : others.count)
    }
    return others
  }

  /// Returns a label, its value, and the key that changes it.
  private func field(_ label: String, _ words: String, _ action: Action?, priority: Int) -> BarView.Item {
    var runs: [TextRun<StyleRole>] = [TextRun("\(label)  ", .dim), TextRun(words, role)]
    if let action, let key = keymap.binding(of: action, in: [.entry])?.keyName {
      runs += [TextRun(" (", .dim), TextRun(key, .key), TextRun(")", .dim)]
    }
    return BarView.Item(runs, priority: priority, action: action)
  }

  private static func columns(of item: BarView.Item) -> Int {
    item.runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
  }
}
