/// A difference between an entry as the user sent it and as the server stored it.
public struct StoredDifference: Hashable, Sendable {
  /// A part of an entry. A poll's setting to hide its results isn't compared, because the author can't see that
  /// setting.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case text = "its text"
    case contentWarning = "its content warning"
    case sensitivity = "its sensitive mark"
    case visibility = "its visibility"
    case language = "its language"
    case poll = "its poll"
    case pollOptions = "the options of its poll"
    case pollChoices = "whether its poll allows several choices"
    case pollEnd = "the end of its poll"
    case files = "its files"
    case altTexts = "the descriptions of its files"
    case time = "its time"
    case parent = "its place in the thread"
    case quote = "its quote"
    case quotePolicy = "who may quote it"
  }

  /// The kind of difference.
  public enum Kind: Hashable, Sendable {
    case missing, changed
    /// An edit had no effect on the part.
    case unchanged
  }

  public var part: Part
  public var kind: Kind
  /// A description of the stored value. Empty if the part's name is enough.
  public var value: String

  public init(_ part: Part, _ kind: Kind, value: String = "") {
    self.part = part
    self.kind = kind
    self.value = value
  }

  fileprivate var words: String { value.isEmpty ? part.rawValue : "\(part.rawValue) (\(value))" }
}

extension [StoredDifference] {
  /// The differences as sentences for the user. May be empty.
  public var sentence: String {
    let verbs: [(StoredDifference.Kind, String)] = [
      (.missing, "did not store"), (.changed, "changed"), (.unchanged, "did not change"),
    ]
    return verbs.compactMap { kind, verb in
      // List a difference once, even if several parts of a thread have it.
      let words: [String] = filter { $0.kind == kind }.map(\.words).reduce(into: []) { words, next in
        if !words.contains(next) { words.append(next) }
      }
      return words.isEmpty ? nil : "The server \(verb) \(words.listed())."
    }
    .joined(separator: " ")
  }
}
