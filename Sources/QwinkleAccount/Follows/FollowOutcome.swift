public import QwinkleModel

/// The server's answer to a follow or unfollow.
public struct FollowOutcome: Sendable {
  public let qwinker: Qwinker
  /// True for a follow, false for an unfollow.
  public let isOn: Bool
  /// The relationship before the change, if known.
  public let before: Relationship?
  public let now: Relationship
  /// Whether the change was an undo, which can't itself be undone.
  public let isUndo: Bool
  /// The options that the user changed, if any.
  public let options: FollowOptions?

  init(
    qwinker: Qwinker, isOn: Bool, before: Relationship?, now: Relationship, isUndo: Bool,
    options: FollowOptions? = nil
  ) {
    self.qwinker = qwinker
    self.isOn = isOn
    self.before = before
    self.now = now
    self.isUndo = isUndo
    self.options = options
  }

  /// Creates the outcome of a follow, or of an unfollow if `isOn` is false, when the previous relationship is unknown.
  public init(of qwinker: Qwinker, isOn: Bool, now: Relationship, options: FollowOptions? = nil) {
    self.init(qwinker: qwinker, isOn: isOn, before: nil, now: now, isUndo: false, options: options)
  }

  /// The result as a sentence for the user.
  public var sentence: String {
    guard let options, isOn else { return follow }
    let adopted = options.changes(from: ignored)
    let words = [follow] + (now.isFollowing ? adopted.words : [])
    let refusal = ignored.isEmpty ? "" : ". Your server ignored these options: \(ignored.names.joined(separator: ", "))"
    return words.joined(separator: " · ") + refusal
  }

  /// The options that the server didn't adopt.
  public var ignored: FollowOptions { options.map(now.ignored) ?? FollowOptions() }

  private var follow: String {
    let name = "@\(qwinker.handle)"
    return switch (isOn, now.isFollowing, now.isRequested) {
    case (true, true, _): "Following \(name)"
    // Even if `isRequested` is false: some servers respond before the follow takes effect.
    case (true, false, _): "Follow request sent to \(name)"
    case (false, true, _): "Still following \(name)"
    case (false, false, true): "Follow request to \(name) still pending"
    case (false, false, false) where before?.isRequested == true && before?.isFollowing != true:
      "Follow request to \(name) withdrawn"
    case (false, false, false): "Unfollowed \(name)"
    }
  }

  /// Returns the status bar text while the request is in progress.
  public static func activity(_ qwinker: Qwinker, isOn: Bool, changesOptions: Bool = false) -> String {
    if changesOptions { return "Changing how you follow @\(qwinker.handle)…" }
    return isOn ? "Following @\(qwinker.handle)…" : "Unfollowing @\(qwinker.handle)…"
  }
}

extension FollowOptions {
  /// The options as words, such as `boosts hidden`. Omits unchanged options.
  public var words: [String] {
    [
      showsBoosts.map { $0 ? "boosts shown" : "boosts hidden" },
      notifies.map { $0 ? "notifications on" : "notifications off" },
      languages.map { $0.isEmpty ? "all languages" : "only \($0.joined(separator: ", "))" },
    ].compactMap(\.self)
  }

  /// The names of the options, without unchanged options.
  fileprivate var names: [String] {
    [
      showsBoosts == nil ? nil : "boosts", notifies == nil ? nil : "notifications",
      languages == nil ? nil : "languages",
    ].compactMap(\.self)
  }
}
