public import PaneKit

/// A message to the user in the status bar.
public struct Notice {
  /// The end of a notice that stays true.
  public enum Lifetime: Sendable {
    /// A few seconds, or until the user presses a key that has an effect.
    case untilKey
    /// A few seconds: the user doesn't expect the notice and could miss it.
    case seconds
    /// A minute: the notice is about the program itself.
    case minute

    var duration: Duration { self == .minute ? .seconds(60) : .seconds(6) }
  }

  var text: String
  /// The text in linear form, if it differs.
  let spokenText: String?
  /// The severity, as a style: `.dim` for remarks, `.text` for answers, `.new` for successes, `.warning` and `.error`.
  let role: StyleRole
  let lifetime: Lifetime
  /// Returns whether the notice is still true; nil if it can't become outdated.
  let isSo: (@MainActor () -> Bool)?

  /// - Parameter lifetime: Nil for ``Lifetime/seconds`` if the notice is an error, otherwise ``Lifetime/untilKey``.
  public init(
    _ text: String, _ role: StyleRole, _ lifetime: Lifetime? = nil, spokenText: String? = nil,
    while isSo: (@MainActor () -> Bool)? = nil
  ) {
    self.text = text
    self.spokenText = spokenText
    self.role = role
    self.lifetime = lifetime ?? (role == .error ? .seconds : .untilKey)
    self.isSo = isSo
  }
}

/// Shows notices to the user.
@MainActor
public protocol Reporter: AnyObject {
  /// Shows a notice in place of the former one.
  func report(_ notice: Notice)
  /// Call when the condition of a notice may have changed, so that an outdated notice is removed.
  func wordsMayHaveChanged()
}

extension Reporter {
  /// Shows a message for a few seconds, but only while `isSo` returns true.
  public func say(_ text: String, _ role: StyleRole, while isSo: (@MainActor () -> Bool)? = nil) {
    report(Notice(text, role, while: isSo))
  }

  /// Shows a message about the program itself for a minute.
  public func announce(_ text: String) { report(Notice(text, .warning, .minute)) }
}

extension Screen {
  /// Shows a message for a few seconds.
  func say(_ text: String, _ role: StyleRole) { navigator?.say(text, role) }
}
