import PaneKit
public import QwinkleStore

/// How much room a qwink takes in a list.
enum Density: String, CaseIterable, Sendable {
  /// The name on a line of its own, and a blank row between two qwinks.
  case comfortable
  /// Name and text on one line, no blank rows.
  case compact

  var other: Density { self == .comfortable ? .compact : .comfortable }
}

/// What the reader has chosen by keys and `:set`. It outlives the program if there is a file for it.
@MainActor
public final class ReaderSettings {
  private static let densityKey = "density"
  private static let enterKey = "enter"
  private static let sendsValue = "sends"
  private static let newlineValue = "newline"

  private let file: SettingsFile?

  /// How qwinks are listed.
  var density: Density {
    didSet { didSet(Self.densityKey, to: density.rawValue, isOther: density != oldValue) }
  }

  /// Whether Enter sends a chat message; if not, it begins a new line.
  var enterSends: Bool {
    didSet {
      didSet(Self.enterKey, to: enterSends ? Self.sendsValue : Self.newlineValue, isOther: enterSends != oldValue)
    }
  }

  /// Sent after a setting has changed.
  var didChange = TargetActions()

  /// Reads the settings from `file`; without one they last until the program ends.
  public init(file: SettingsFile? = nil) {
    self.file = file
    let values = file?.load() ?? [:]
    density = values[Self.densityKey].flatMap(Density.init) ?? .comfortable
    enterSends = values[Self.enterKey] == Self.sendsValue
  }

  private func didSet(_ key: String, to value: String, isOther: Bool) {
    guard isOther else { return }
    file?.set(key, to: value)
    didChange.send()
  }
}
