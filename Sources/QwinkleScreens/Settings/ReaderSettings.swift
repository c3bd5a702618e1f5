public import PaneKit
public import QwinkleStore

/// How much room a qwink takes in a list.
enum Density: String, CaseIterable, Sendable {
  /// The name on a line of its own, and a blank row between two qwinks.
  case comfortable
  /// Name and text on one line, no blank rows.
  case compact

  var other: Density { self == .comfortable ? .compact : .comfortable }
}

/// How much is kept for reading offline, in megabytes.
enum CacheSize: Int, CaseIterable, Sendable {
  case small = 16
  case medium = 64
  case large = 256
  case huge = 1024
}

/// What the reader has chosen by keys and `:set`. It outlives the program if there is a file for it.
@MainActor
public final class ReaderSettings {
  private static let densityKey = "density"
  private static let enterKey = "enter"
  private static let sendsValue = "sends"
  private static let newlineValue = "newline"
  private static let cacheKey = "cache"
  private static let newKey = "new"
  private static let flowsValue = "flows"
  private static let waitsValue = "waits"
  private static let attentionKey = "attention"
  private static let quietKey = "quiet"

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

  /// Whether new qwinks flow in for a reader who rests at the top; if not, they wait above.
  var letsFlow: Bool {
    didSet { didSet(Self.newKey, to: letsFlow ? Self.flowsValue : Self.waitsValue, isOther: letsFlow != oldValue) }
  }

  /// How direct messages and mentions call.
  var attention: AttentionKind {
    didSet { didSet(Self.attentionKey, to: attention.rawValue, isOther: attention != oldValue) }
  }

  /// When they don't; nil: they always do.
  var quietHours: QuietHours? {
    didSet {
      didSet(Self.quietKey, to: quietHours?.rawValue ?? AttentionKind.off.rawValue, isOther: quietHours != oldValue)
    }
  }

  /// How much is kept for reading offline, in megabytes.
  var cacheSize: CacheSize {
    didSet { didSet(Self.cacheKey, to: String(cacheSize.rawValue), isOther: cacheSize != oldValue) }
  }

  /// What the cache may keep.
  public var cacheLimits: CacheLimits { CacheLimits(size: cacheSize.rawValue << 20) }

  /// Sent after a setting has changed.
  public var didChange = TargetActions()

  /// Reads the settings from `file`; without one they last until the program ends.
  public init(file: SettingsFile? = nil) {
    self.file = file
    let values = file?.load() ?? [:]
    density = values[Self.densityKey].flatMap(Density.init) ?? .comfortable
    enterSends = values[Self.enterKey] == Self.sendsValue
    letsFlow = values[Self.newKey] != Self.waitsValue
    attention = values[Self.attentionKey].flatMap(AttentionKind.init) ?? .off
    quietHours = values[Self.quietKey].flatMap(QuietHours.init)
    cacheSize = values[Self.cacheKey].flatMap { Int($0) }.flatMap(CacheSize.init) ?? .medium
  }

  private func didSet(_ key: String, to value: String, isOther: Bool) {
    guard isOther else { return }
    file?.set(key, to: value)
    didChange.send()
  }
}
