import FoundationEssentials
import QwinkleModel
import QwinkleService
import SafeText
import Timekeeping

/// The text fields of a filter: title, words, contexts, effect and expiry.
struct FilterForm: Hashable {
  var title = ""
  /// Words and phrases, separated by commas. A word with a trailing star also matches inside longer words.
  var words = ""
  var places = ""
  var effect = ""
  var end = ""

  /// Creates the fields of an existing filter.
  init(_ filter: ContentFilter, zone: ClockZone) {
    title = filter.title
    words = filter.keywords.map { $0.isWhole ? $0.text : "\($0.text)*" }.joined(separator: ", ")
    places = filter.contexts.map(\.rawValue).joined(separator: " ")
    effect = filter.hides ? Self.hides : Self.warns
    end = filter.expiresAt.map { TypedTime.text($0, in: zone) } ?? Self.never
  }

  /// Creates the fields of a new filter, which applies everywhere and shows a warning.
  init() {
    places = ContentFilter.Context.allCases.map(\.rawValue).joined(separator: " ")
    effect = Self.warns
    end = Self.never
  }

  /// Creates the fields from the user's input, in the order of ``fields``.
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
      .init(label: "Title", text: title, help: "Text of the warning"),
      .init(label: "Words", text: words, help: "Words or phrases, with commas between; cat* matches category, too"),
      .init(
        label: "Where", text: places,
        help: "Some of: " + ContentFilter.Context.allCases.map(\.rawValue).joined(separator: ", ")),
      .init(label: "Effect", text: effect, help: "warn shows the title, hide removes the post"),
      .init(label: "Ends", text: end, help: "never, a time such as 8h or 7d, or 2026-11-22T09:30"),
    ]
  }

  /// A change to send. `seconds` is the time until the filter expires, or nil to leave the expiry unchanged. `removed`
  /// contains the ids of deleted keywords.
  struct Change {
    var filter: ContentFilter
    var seconds: Int?
    var removed: [String]
  }

  /// Returns the change that applies these fields to `filter`. `former` contains the fields before the user edited
  /// them. If the user didn't edit the expiry, the change omits it.
  ///
  /// - Throws: ``Refusal`` if a field is missing or invalid.
  func change(
    of filter: ContentFilter, from former: FilterForm, at now: Date, zone: ClockZone
  ) throws(Refusal) -> Change {
    var filter = filter
    guard !title.isEmpty else { throw Refusal(sentence: ManagedListWords.titleMissing) }
    filter.title = title
    let keywords = keywords
    guard !keywords.isEmpty || !filter.statuses.isEmpty else { throw Refusal(sentence: ManagedListWords.wordsMissing) }
    let unchanged = filter.keywords.filter { old in
      keywords.contains { $0.text == old.text && $0.isWhole == old.isWhole }
    }
    let new = keywords.filter { word in !unchanged.contains { $0.text == word.text && $0.isWhole == word.isWhole } }
    let removed = filter.keywords.filter { !unchanged.contains($0) }.map(\.id)
    filter.keywords = unchanged + new
    filter.contexts = try contexts()
    switch effect.lowercased() {
    case Self.hides: filter.hides = true
    case Self.warns: filter.hides = false
    default: throw Refusal(sentence: ManagedListWords.noEffect(effect))
    }
    guard end != former.end else { return Change(filter: filter, seconds: nil, removed: removed) }
    guard let date = TypedTime.future(end, at: now, in: zone) else {
      throw Refusal(sentence: end == Self.never ? ManagedListWords.endNotRemoved : ManagedListWords.noEnd(end))
    }
    return Change(filter: filter, seconds: max(1, Int(date.timeIntervalSince(now).rounded())), removed: removed)
  }

  /// The reason that the fields can't be submitted.
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
      throw Refusal(sentence: ManagedListWords.noContext(known: known))
    }
    return contexts
  }
}
