/// Which timeline.
public enum TimelineName: Hashable, Sendable {
  /// Everybody's public qwinks that the server knows.
  case `public`
  /// The public qwinks of the server's own people.
  case local
  /// What the people I follow write.
  case home
  /// Qwinks with a tag, given without `#`.
  case tag(String)
  /// What one qwinker wrote.
  case qwinker(Qwinker.ID)
  /// What I keep for later.
  case marks
  /// What I made a favourite.
  case favourites

  /// Stable words for it, for keys of a cache and for commands: `public`, `home`, `#tag`, …
  public var key: String {
    switch self {
    case .public: "public"
    case .local: "local"
    case .home: "home"
    case .tag(let name): "#\(name)"
    case .qwinker(let id): "qwinker/\(id.rawValue)"
    case .marks: "marks"
    case .favourites: "favourites"
    }
  }
}
