import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// A list's search text and the filter that limits its rows.
struct ListFinder {
  /// The text that `n` and `N` search for again. Empty before the first search.
  var words = ""
  /// The text that rows must contain to be shown. Nil shows all rows.
  var limit: String?

  /// Whether `text` contains `words`, ignoring case.
  static func matches(_ words: String, in text: String) -> Bool {
    text.lowercased().contains(words.lowercased())
  }

  /// Returns the next index after `selected` whose row matches, or the previous one if `backwards`. The search wraps
  /// around and calls `matches` at most once for each of the `count` rows.
  static func next(
    from selected: Int?, count: Int, backwards: Bool, matches: (Int) -> Bool
  ) -> (index: Int, wrapped: Bool)? {
    guard count > 0 else { return nil }
    let start = selected ?? (backwards ? 0 : count - 1)
    for step in 1...count {
      let place = backwards ? start - step : start + step
      let index = (place % count + count) % count
      if matches(index) { return (index, place != index) }
    }
    return nil
  }
}

extension ListViewController {
  /// Registers the keys for searching and limiting.
  func registerFinding() {
    let canFind: @MainActor () -> Bool = { [weak self] in self.map { $0.canFind && !$0.rows.isEmpty } ?? false }
    on(.find, when: canFind) { [weak self] in self?.askWhatToFind() }
    on(.findNext, when: canFind) { [weak self] in self?.findAgain(backwards: false) }
    on(.findPrevious, when: canFind) { [weak self] in self?.findAgain(backwards: true) }
    on(.limit, when: { [weak self] in self?.canBeLimited ?? false }) { [weak self] in self?.askForLimit() }
    on(.back, when: { [weak self] in self?.finder.limit != nil }) { [weak self] in self?.limit(to: nil) }
  }

  private func askWhatToFind() {
    present(
      LinePrompt(sign: "/", label: FindWords.findLabel) { [weak self] words in
        guard let self else { return }
        if !words.isEmpty { finder.words = words }
        findAgain(backwards: false)
      })
  }

  private func askForLimit() {
    guard !limitsWhileTyping else { return present(limitPrompt()) }
    present(
      LinePrompt(sign: "&", label: FindWords.limitLabel) { [weak self] words in
        self?.limit(to: words.isEmpty ? nil : words)
      })
  }

  /// Returns a prompt that limits the list while the user types. Leaving it restores the former limit and selection.
  private func limitPrompt() -> LinePrompt {
    let (former, key) = (finder.limit, selectedRow.flatMap(placeKey(of:)))
    return LivePrompt(
      sign: "&", label: FindWords.limitLabel,
      typed: { [weak self] words in
        self?.finder.limit = words.isEmpty ? nil : words
        self?.applyLimit()
      },
      left: { [weak self] in
        guard let self else { return }
        finder.limit = former
        applyLimit()
        if let key, let index = rows.firstIndex(where: { placeKey(of: $0) == key }) { select(index) }
      },
      entered: { [weak self] words in
        self?.finder.limit = former
        self?.limit(to: words.isEmpty ? nil : words)
      })
  }

  private func findAgain(backwards: Bool) {
    let words = finder.words
    guard !words.isEmpty else { return say(FindWords.nothingYet, .dim) }
    let found = ListFinder.next(from: selectedIndex, count: rows.count, backwards: backwards != showsOldestFirst) {
      index in
      ListFinder.matches(words, in: findableText(ofRowAt: index))
    }
    guard let found else { return say(notFound(words, rows: rows.count), .warning) }
    select(found.index)
    if found.wrapped { say(FindWords.wrapped, .dim) }
  }

  /// Shows only the rows that contain `words`, or all rows if nil. If no row contains them, restores the former limit
  /// and shows a message.
  private func limit(to words: String?) {
    let former = finder.limit
    finder.limit = words
    applyLimit()
    guard let words, rows.isEmpty else { return say(words.map(FindWords.limited) ?? FindWords.unlimited, .dim) }
    finder.limit = former
    applyLimit()
    say(notFound(words, rows: allRows.count), .warning)
  }

  /// Returns the message for a search without a match. If the list is limited, the message names the key that shows all
  /// rows.
  private func notFound(_ words: String, rows: Int) -> String {
    guard let limit = finder.limit else { return FindWords.notFound(words, rows: rows) }
    return FindWords.notFound(words, rows: rows, limit: limit)
  }
}

extension Qwink {
  /// Returns the searched text: the names and the visible part of the qwink's text.
  func findableText(isRevealed: Bool, _ disclosure: Disclosure) -> String {
    let names = [booster?.displayName, author.displayName, "@" + author.handle].compactMap(\.self)
    let shown =
      isRevealed || disclosure.cover == nil
      ? [warning(under: disclosure.cover), text.plainText].compactMap(\.self) : []
    return (names + [disclosure.cover?.words].compactMap(\.self) + shown).joined(separator: " ")
  }
}

extension Account {
  /// Returns the searched text, including text that the reader has revealed.
  func findableText(of qwink: Qwink, in place: FilterPlace?) -> String {
    let shown = shown(qwink)
    return shown.findableText(isRevealed: timelines.isRevealed(shown), disclosure(of: shown, in: place))
  }
}
