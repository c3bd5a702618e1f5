public import PaneKit
public import QwinkleConfig
public import QwinkleModel
public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// The amount of space for a qwink in a list.
enum Density: String, CaseIterable, Sendable {
  /// The name on a separate line, and a blank row between qwinks.
  case comfortable
  /// Name and text on one line, at most two rows, no blank rows.
  case compact
  /// One row.
  case index

  /// The next density of the key that changes it.
  var next: Density {
    switch self {
    case .comfortable: .compact
    case .compact: .index
    case .index: .comfortable
    }
  }

  /// Whether a blank row separates qwinks.
  var hasBlankRows: Bool { self == .comfortable }
}

/// The failure of one of the user's own commands.
public struct CommandFailure: Error, Hashable, Sendable {
  public let sentence: String

  public init(_ sentence: String) {
    self.sentence = sentence
  }
}

/// Reads and writes `config.toml` for the screen.
@MainActor
public protocol ConfigController: AnyObject {
  /// Writes an option to the configuration file: in the section of `account` if that account has its own value for the
  /// option, otherwise for all accounts.
  ///
  /// - Throws: ``ConfigFileError`` if the file can't be written.
  func write(_ key: ConfigKey, _ value: ConfigValue, in account: String?) throws(ConfigFileError)
  /// Reloads the configuration files. Returns a message about the errors in the files, if any.
  func reload() -> String?
  /// The user's own commands.
  var commands: [OwnCommand] { get }
  /// The user's own views.
  var views: [OwnView] { get }
  /// The user's own layouts.
  var layouts: [OwnLayout] { get }
  /// The layouts that the window's width chooses, by ascending width.
  var layoutWidths: [LayoutWidth] { get }
  /// Writes a layout to the configuration file. A layout with the same name is replaced.
  ///
  /// - Throws: ``ConfigFileError`` if the file can't be written.
  func write(_ layout: OwnLayout) throws(ConfigFileError)
  /// Runs one of the user's command lines in a shell. The command gets `input` as its standard input, and `environment`
  /// in addition to the program's own environment. The completion receives the output, or the reason for a failure.
  func run(
    _ line: String, input: [UInt8], environment: [String: String],
    completion: @escaping @MainActor (Result<String, CommandFailure>) -> Void)
  /// Applies an option that doesn't affect a screen, such as the browser.
  func apply(_ key: ConfigKey, _ value: ConfigValue)
}

/// The reader's settings: the values in `config.toml`, and changes made with keys and `:set`. If there is a
/// `config.toml`, the changes last until the program quits. Otherwise they are saved in the settings file, if any.
@MainActor
public final class ReaderSettings {
  private var file: SettingsFile?
  /// The account whose settings these are. If nil, only options for all accounts are used.
  public let account: String?
  /// The options that are set. There are few, so a linear search is as fast as a dictionary.
  private var values: [(key: ConfigKey, value: ConfigValue)] = []

  /// The rules for qwinks that timelines and views hide.
  public private(set) var hideRules: [ViewRule] = []

  /// Handles `:set!`, `:reload`, and the options that don't affect a screen. Nil if the program runs without a
  /// configuration.
  public weak var desk: (any ConfigController)?

  /// Sent after a setting has changed.
  public var didChange = TargetActions()

  /// Creates the settings of `config` for `account`. Values in `file` override them. Without a file, changes last until
  /// the program quits.
  public init(_ config: Config = Config(), for account: String? = nil, file: SettingsFile? = nil) {
    self.file = file
    self.account = account
    take(config)
    for (name, value) in file?.load() ?? [:] {
      guard let key = ConfigKey(name: name), let value = key.option.value(typed: value) else { continue }
      put(key, value)
    }
  }

  public subscript(key: ConfigKey) -> ConfigValue {
    values.first { $0.key == key }?.value ?? key.option.standard
  }

  /// The options that are set, for writing a configuration file.
  public var all: [(key: ConfigKey, value: ConfigValue)] { values }

  /// Sets an option and saves it in the file, if any.
  public func set(_ key: ConfigKey, to value: ConfigValue) {
    guard self[key] != value else { return }
    put(key, value)
    file?.set(key.name, to: value.typed)
    didChange.send()
  }

  /// Stops saving changes, because `config.toml` exists now.
  public func endKeeping() { file = nil }

  /// Replaces all settings with the ones in `config`.
  public func use(_ config: Config) {
    values = []
    take(config)
    didChange.send()
  }

  private func take(_ config: Config) {
    hideRules = config.hideRules.map(\.rule)
    for key in ConfigKey.allCases {
      if let value = config.value(of: key, in: account) { put(key, value) }
    }
  }

  /// Sets an option until the program quits, without saving it or reporting the change.
  func put(_ key: ConfigKey, _ value: ConfigValue) {
    values.removeAll { $0.key == key }
    values.append((key, value))
  }
}

/// Typed access to the settings.
extension ReaderSettings {
  var density: Density {
    get { Density(rawValue: self[.density].text) ?? .comfortable }
    set { set(.density, to: .text(newValue.rawValue)) }
  }

  /// Whether Enter sends a chat message. Otherwise it inserts a line break.
  var enterSends: Bool {
    get { self[.enter].text == "sends" }
    set { set(.enter, to: .text(newValue ? "sends" : "newline")) }
  }

  /// Whether new qwinks are shown as they arrive when the reader is at the top. Otherwise they are inserted above the
  /// visible rows, where the reader can scroll to them.
  var letsFlow: Bool { self[.new].text == "flows" }

  /// Whether timelines with a read position show their oldest rows first.
  var isOldestFirst: Bool { self[.order].text == "oldest" }

  /// The kinds hidden in timelines, unless the reader chooses otherwise in a timeline.
  var hiddenKinds: Set<HiddenKind> { Set(self[.hide].list.compactMap(HiddenKind.init)) }

  /// The kinds and rules of the options.
  var hiddenQwinks: HiddenQwinks { HiddenQwinks(kinds: hiddenKinds, rules: hideRules) }

  /// The alert for direct messages and mentions.
  var attention: AttentionKind { AttentionKind(rawValue: self[.attention].text) ?? .off }

  /// The hours without alerts, if any.
  var quietHours: QuietHours? { QuietHours(rawValue: self[.quiet].text) }

  var pictures: PictureForm {
    get { PictureForm(rawValue: self[.pictures].text) ?? .kitty }
    set { set(.pictures, to: .text(newValue.rawValue)) }
  }

  /// The sources of pictures that are fetched automatically.
  public var pictureSources: MediaRules.Sources { MediaRules.Sources(rawValue: self[.picturesFrom].text) ?? .server }

  /// Whether pictures are fetched only when the user asks for them.
  public var isMetered: Bool { self[.metered].flag }

  /// Priorities of cached files.
  public var preservation: Preservation { Preservation(self[.preserve].list) }

  /// Whether to ask before files without a description are posted.
  var remindsOfAltText: Bool { self[.altReminder].flag }

  /// Whether quitting requires confirmation.
  var asksToQuit: Bool { self[.confirmQuit].flag }
  var asksToDelete: Bool { self[.confirmDelete].flag }

  /// Seconds during which an action can be undone before it is sent. 0 sends at once.
  public var holdSeconds: Int { self[.hold].number }

  /// The section shown at startup. Nil restores the last one.
  var startSection: Section? { Section(rawValue: self[.start].text) }

  /// The arrangement of panes without a layout of the user.
  var readyLayout: ReadyLayout { ReadyLayout(messagesPane: self[.messagesPane].text) }

  /// The audience of a new qwink. Nil uses the server's default.
  public var audience: Visibility? {
    switch self[.audience].text {
    case "public": .public
    case "unlisted": .unlisted
    case "followers": .private
    case "direct": .direct
    default: nil
    }
  }

  /// The language of a new qwink. Nil lets the server decide.
  public var language: String? { self[.language].text.isEmpty ? nil : self[.language].text }

  public var timeForm: ClockZone.Form { ClockZone.Form(rawValue: self[.times].text) ?? .relative }

  public var cacheLimits: CacheLimits { CacheLimits(size: self[.cache].number << 20) }
}
