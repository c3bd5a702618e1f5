/// The options of a follow, or a change of them. Nil leaves an option unchanged.
public struct FollowOptions: Hashable, Sendable, Codable {
  public var showsBoosts: Bool?
  public var notifies: Bool?
  /// Codes of the languages to which the home timeline limits the account's posts. Empty for all languages.
  public var languages: [String]?

  public init(showsBoosts: Bool? = nil, notifies: Bool? = nil, languages: [String]? = nil) {
    self.showsBoosts = showsBoosts
    self.notifies = notifies
    self.languages = languages
  }

  /// The options of a new follow.
  public static let usual = FollowOptions(showsBoosts: true, notifies: false, languages: [])

  /// Whether the change has no effect.
  public var isEmpty: Bool { showsBoosts == nil && notifies == nil && languages == nil }

  /// Returns the options after a later change.
  public func merged(with later: FollowOptions?) -> FollowOptions {
    FollowOptions(
      showsBoosts: later?.showsBoosts ?? showsBoosts, notifies: later?.notifies ?? notifies,
      languages: later?.languages ?? languages)
  }

  /// Returns only the options that differ from `other`.
  public func changes(from other: FollowOptions) -> FollowOptions {
    FollowOptions(
      showsBoosts: showsBoosts == other.showsBoosts ? nil : showsBoosts,
      notifies: notifies == other.notifies ? nil : notifies,
      languages: languages.map(Set.init) == other.languages.map(Set.init) ? nil : languages)
  }

  /// Returns the change that restores these options after `change` or, if `change` is nil, after a new follow.
  public func restoring(_ change: FollowOptions?) -> FollowOptions {
    guard let change else { return changes(from: .usual) }
    return FollowOptions(
      showsBoosts: change.showsBoosts == nil ? nil : showsBoosts, notifies: change.notifies == nil ? nil : notifies,
      languages: change.languages == nil ? nil : languages)
  }

  /// Parses language codes separated by spaces or commas, or ``allLanguages``. Returns nil if a word isn't a code.
  public static func languages(in text: String) -> [String]? {
    let words = text.split { $0 == " " || $0 == "," }.map(String.init)
    if words.isEmpty || words == [allLanguages] { return [] }
    guard words.allSatisfy(LanguageCode.isCode), words.count <= mostLanguages else { return nil }
    return words.enumerated().filter { !words[..<$0.offset].contains($0.element) }.map(\.element)
  }

  /// Typed instead of language codes.
  public static let allLanguages = "all"
  private static let mostLanguages = 30
}

extension Relationship {
  /// The options of the user's follow.
  public var followOptions: FollowOptions {
    get { FollowOptions(showsBoosts: showsBoosts, notifies: isNotifying, languages: languages) }
    set {
      showsBoosts = newValue.showsBoosts ?? showsBoosts
      isNotifying = newValue.notifies ?? isNotifying
      languages = newValue.languages ?? languages
    }
  }

  /// Whether the account's boosts are hidden. Servers also report `false` for accounts that the user doesn't follow.
  public var hidesBoosts: Bool { isFollowing && !showsBoosts }

  /// Returns the wanted options that the server hasn't adopted. Empty while a follow request is pending, because not
  /// every server reports the options of a request.
  public func ignored(of wanted: FollowOptions) -> FollowOptions {
    isFollowing ? wanted.changes(from: followOptions) : FollowOptions()
  }
}
