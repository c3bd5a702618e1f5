import PaneKit
import QwinkleAccount
import QwinkleModel

/// Hiding rows by kind, by rule, and because they were read.
extension TimelineViewController {
  /// The kinds hidden in this timeline, unless the reader has lifted hiding.
  var hiddenKinds: Set<HiddenKind> { hiding.kinds ?? (name.hidesByOption ? settings.hiddenKinds : []) }

  /// The kinds and rules that apply now.
  var hiddenQwinks: HiddenQwinks { hiding.isLifted ? HiddenQwinks() : chosenQwinks }

  /// The kinds and rules that apply unless the reader has lifted hiding.
  private var chosenQwinks: HiddenQwinks {
    let configured = name.hidesByOption && !hiding.ignoresConfigured ? settings.hideRules : []
    return HiddenQwinks(kinds: hiddenKinds, rules: configured + hiding.rules)
  }

  /// Whether a qwink is hidden, also by a filter, a mute or a block. It needn't be in memory. Doesn't examine whether
  /// the qwink was read.
  func isLeftOut(_ qwink: Qwink) -> Bool {
    hiddenQwinks.contains(qwink, me: account.identity.me?.id) || isWithheld(qwink)
  }

  /// Whether a filter, a mute or a block hides a qwink.
  private func isWithheld(_ qwink: Qwink) -> Bool {
    account.leavesOut(qwink, in: filterPlace, evenMuted: !name.leavesOutMuted)
  }

  /// Returns `rows` without hidden rows, and counts them. `others` are the ids of qwinks that are shown elsewhere.
  func withoutHidden(_ rows: [Timeline.Row], besides others: Set<Qwink.RowID>, hides: Bool) -> [Timeline.Row] {
    hiding.count = 0
    hiding.endsAtRead = false
    guard hides || !others.isEmpty else { return rows }
    let (hidden, me) = (hiddenQwinks, account.identity.me?.id)
    let read = hidden.kinds.contains(.read) ? readRows(rows) : nil
    hiding.endsAtRead = read != nil
    hiding.forgetDecisions(except: rows)
    // Gaps between read rows are dropped unless a row below them is shown.
    var isBelowShown = false
    var shown: [Timeline.Row] = []
    for index in rows.indices.reversed() {
      let row = rows[index]
      guard let qwink = row.qwink else {
        if read.map({ index < $0.start }) ?? true || isBelowShown { shown.append(row) }
        continue
      }
      if others.contains(qwink.rowID) || (hides && isWithheld(qwink)) { continue }
      if hides, hiding.hides(qwink, by: hidden, me: me) || read?.contains(row, at: index) == true {
        hiding.count += 1
        continue
      }
      isBelowShown = true
      shown.append(row)
    }
    return Timeline.withoutDoubleGaps(Array(shown.reversed()))
  }

  /// Returns the rows that were read before the visit. The selected row, and the rows of a position that isn't restored
  /// yet, don't count as read.
  private func readRows(_ rows: [Timeline.Row]) -> ReadRows? {
    // At the start, the visit can begin before the read position is loaded.
    hiding.visitMark = hiding.visitMark ?? readMark
    if let selected = selectedQwink?.rowID { hiding.spared.insert(selected) }
    if let waitingPlace { hiding.spared.formUnion(waitingPlace.keys.compactMap(Self.row(ofKey:))) }
    return ReadRows(rows, mark: hiding.visitMark, skipped: readMark?.skipped ?? [], spared: hiding.spared)
  }

  // MARK: The reader's choices

  /// Hides and shows rows as chosen, and returns a message about the change.
  func choose(_ choice: PaneChoice) -> String? {
    let words: String
    switch choice {
    case .hide(let kinds):
      hiding.kinds = hiddenKinds.union(kinds)
      if kinds.contains(.read) { hiding.begin(at: readMark) }
      words = HidingWords.chosen(hiddenKinds)
    case .show(let kinds):
      hiding.kinds = hiddenKinds.subtracting(kinds)
      words = HidingWords.chosen(hiddenKinds)
    case .hideMatching(let rule, let text):
      hiding.rules.append(rule)
      words = HidingWords.chosen(text)
    case .showAll:
      hiding.kinds = []
      hiding.rules = []
      hiding.ignoresConfigured = true
      words = HidingWords.chosen([])
    case .muteTag(let seconds): return muteTag(seconds: seconds)
    case .only: return nil
    }
    hiding.isLifted = false
    hidingDidChange()
    return words
  }

  /// Mutes the timeline's hashtag, or unmutes it. Returns a message, or nil if the timeline isn't the timeline of one
  /// hashtag.
  func muteTag(seconds: Int? = nil) -> String? {
    guard case .tag(let tag) = name, TimelineName.tags(in: tag).count == 1 else { return nil }
    PromptActions.muteTag(tag, isOn: seconds == nil ? nil : true, seconds: seconds, account, navigator)
    return HidingWords.changingMute(tag)
  }

  /// Shows the hidden rows, or hides them again.
  func toggleHidden() {
    guard !chosenQwinks.isEmpty else { return navigator?.say(HidingWords.nothingHidden, .dim) ?? () }
    let count = hiding.count
    hiding.isLifted.toggle()
    hidingDidChange()
    let words = hiding.isLifted ? HidingWords.lifted(count) : HidingWords.count(hiding.count)
    navigator?.say(words, .text)
  }

  private func hidingDidChange() {
    hiddenPages = 0
    rearrange()
    updateNews()
    updateWords()
  }

  /// Hides the rows that have been read by now, if read rows are hidden.
  func hideReadNow() {
    hiding.begin(at: readMark)
    if hiddenQwinks.kinds.contains(.read) { rearrange() }
  }

  /// The hidden kinds and the number of hidden rows, for the title.
  var hidingTitle: String? {
    if hiding.isLifted { return HidingWords.isLifted }
    let parts =
      (hiddenKinds.isEmpty ? [] : [HidingWords.title(hiddenKinds)])
      + (hiding.count == 0 ? [] : [HidingWords.count(hiding.count)])
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  /// The text of an empty list whose rows are all hidden. Nil if no row is hidden.
  var hidingPlaceholder: PlaceholderWords.Lines? {
    guard !account.timelines.timeline(name).isEmpty else { return nil }
    if hasFiltered, case .tag = name {
      return PlaceholderWords.nothing(
        HidingWords.onlyFiltered, (Action.muteTag.key, HidingWords.unmutes), PlaceholderWords.goesBack)
    }
    guard !hiddenQwinks.isEmpty else { return nil }
    let key = (Action.showHidden.key, HidingWords.showsThem)
    guard !hiddenKinds.isEmpty else {
      return hiding.count == 0
        ? nil : PlaceholderWords.nothing(HidingWords.onlyHidden, key, PlaceholderWords.refreshes)
    }
    return PlaceholderWords.nothing(
      HidingWords.nothing(hiddenKinds), (":show", HidingWords.shows(hiddenKinds)), PlaceholderWords.refreshes)
  }
}

/// Strings about hidden rows.
enum HidingWords {
  static let isLifted = "showing hidden"
  static let nothingHidden = "Nothing is hidden here. :hide hides boosts, replies or what a rule matches."
  static let noneHere = "No hidden posts here"
  static let noRules = "No rule hides posts. Add some to [hide-rules] in config.toml."
  static let hiddenAgain = "Hiding what your rules match"
  static let onlyFiltered = "Your filters hide everything here."
  static let unmutes = "unmutes the hashtag"
  static func changingMute(_ tag: String) -> String { "Changing the filter for #\(tag)…" }
  static let onlyHidden = "Nothing here but posts that your rules hide."
  static let showsThem = "shows them"

  static func title(_ kinds: Set<HiddenKind>) -> String { "without \(list(kinds, "or"))" }

  /// Returns `12 hidden`.
  static func count(_ count: Int) -> String { "\(count) hidden" }

  static func chosen(_ kinds: Set<HiddenKind>) -> String {
    kinds.isEmpty ? "Showing everything" : "Hiding \(list(kinds, "and"))"
  }

  static func chosen(_ rule: String) -> String { "Hiding what matches \(rule) in this visit" }

  static func lifted(_ count: Int) -> String { "Showing \(Counted.words(count, "hidden post", "hidden posts"))" }

  static func nothing(_ kinds: Set<HiddenKind>) -> String { "Nothing here but \(list(kinds, "and"))." }

  static func shows(_ kinds: Set<HiddenKind>) -> String { "with \(list(kinds, "or")) shows them" }

  static func refusal(of choice: PaneChoice) -> String {
    if case .only = choice { return NotificationWords.onlyHere }
    if case .muteTag = choice { return "Which hashtag? Example: :mute-tag garden" }
    return "Boosts and replies can be hidden in timelines only."
  }

  static func list(_ kinds: Set<HiddenKind>, _ word: String) -> String {
    HiddenKind.allCases.filter(kinds.contains).map(Self.word).joined(separator: " \(word) ")
  }

  private static func word(_ kind: HiddenKind) -> String { kind == .read ? "read posts" : kind.rawValue }
}
