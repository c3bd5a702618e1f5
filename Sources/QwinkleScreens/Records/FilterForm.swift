import FoundationEssentials
import QwinkleModel
import QwinkleService
import SafeText
import Timekeeping

/// A filter as lines to fill in: its title, its words, where it applies, what it does, and until when.
struct FilterForm: Hashable {
  var title = ""
  /// Words and phrases with commas between them. A star at the end finds them inside of others, too.
  var words = ""
  var places = ""
  var effect = ""
  var end = ""

  /// A filter as it is.
  init(_ filter: ContentFilter, zone: ClockZone) {
    title = filter.title
    words = filter.keywords.map { $0.isWhole ? $0.text : "\($0.text)*" }.joined(separator: ", ")
    places = filter.contexts.map(\.rawValue).joined(separator: " ")
    effect = filter.hides ? Self.hides : Self.warns
    end = filter.expiresAt.map { TypedTime.text($0, in: zone) } ?? Self.never
  }

  /// A new one, that applies everywhere and warns.
  init() {
    places = ContentFilter.Context.allCases.map(\.rawValue).joined(separator: " ")
    effect = Self.warns
    end = Self.never
  }

  /// The lines that were typed, in the order of ``fields``.
  init?(_ lines: [String]) {
    guard lines.count == 5 else { return nil }
    (title, words, places, effect, end) = (lines[0], lines[1], lines[2], lines[3], lines[4])
  }

  private static let hides = "hide"
  private static let warns = "warn"
  private static let never = "never"

  @MainActor
  var fields: [FormSheet.Field] {
    [
      .init(label: "Title", text: title, help: "What a warning says"),
      .init(label: "Words", text: words, help: "Words or phrases, with commas between; cat* finds category, too"),
      .init(
        label: "Where", text: places,
        help: "Some of: " + ContentFilter.Context.allCases.map(\.rawValue).joined(separator: ", ")),
      .init(label: "Effect", text: effect, help: "warn shows the title, hide leaves the qwink out"),
      .init(label: "Ends", text: end, help: "never, a time such as 8h or 7d, or 2026-11-22T09:30"),
    ]
  }

  /// What is sent: the filter, the seconds until it ends, nil if that stays, and the ids of keywords that go.
  struct Change {
    var filter: ContentFilter
    var seconds: Int?
    var removed: [String]
  }

  /// `filter` as these lines want it; `former` are its own lines.
  ///
  /// - Throws: ``Refusal`` with what can't be read.
  func change(
    of filter: ContentFilter, from former: FilterForm, at now: Date, zone: ClockZone
  ) throws(Refusal) -> Change {
    var filter = filter
    guard !title.isEmpty else { throw Refusal(sentence: RecordWords.titleMissing) }
    filter.title = title
    let keywords = keywords
    guard !keywords.isEmpty || !filter.statuses.isEmpty else { throw Refusal(sentence: RecordWords.wordsMissing) }
    let kept = filter.keywords.filter { old in
      keywords.contains { $0.text == old.text && $0.isWhole == old.isWhole }
    }
    let new = keywords.filter { word in !kept.contains { $0.text == word.text && $0.isWhole == word.isWhole } }
    let removed = filter.keywords.filter { !kept.contains($0) }.map(\.id)
    filter.keywords = kept + new
    filter.contexts = try contexts()
    switch effect.lowercased() {
    case Self.hides: filter.hides = true
    case Self.warns: filter.hides = false
    default: throw Refusal(sentence: RecordWords.noEffect(effect))
    }
    guard end != former.end else { return Change(filter: filter, seconds: nil, removed: removed) }
    guard let date = TypedTime.future(end, at: now, in: zone) else {
      throw Refusal(sentence: end == Self.never ? RecordWords.endNotRemoved : RecordWords.noEnd(end))
    }
    return Change(filter: filter, seconds: max(1, Int(date.timeIntervalSince(now).rounded())), removed: removed)
  }

  /// Why lines can't be sent.
  struct Refusal: Error, Hashable {
    let sentence: String
  }

  private var keywords: [ContentFilter.Keyword] {
    words.split(separator: ",").compactMap { part in
      let text = String(part).trimmed()
      let bare = text.hasSuffix("*") ? String(text.dropLast()) : text
      return bare.isEmpty ? nil : ContentFilter.Keyword(text: bare, isWhole: bare == text)
    }
  }

  private func contexts() throws(Refusal) -> [ContentFilter.Context] {
    let words = places.split { $0 == " " || $0 == "," }.map { $0.lowercased() }
    let contexts = words.compactMap(ContentFilter.Context.init)
    guard contexts.count == words.count, !contexts.isEmpty else {
      let known = ContentFilter.Context.allCases.map(\.rawValue).joined(separator: ", ")
      throw Refusal(sentence: RecordWords.noContext(known: known))
    }
    return contexts
  }
}
