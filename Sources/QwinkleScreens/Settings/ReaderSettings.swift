public import PaneKit
public import QwinkleConfig
public import QwinkleModel
public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// How much room a qwink takes in a list.
enum Density: String, CaseIterable, Sendable {
  /// The name on a line of its own, and a blank row between two qwinks.
  case comfortable
  /// Name and text on one line, no blank rows.
  case compact

  var other: Density { self == .comfortable ? .compact : .comfortable }
}

/// Why a command of the user's own failed.
public struct CommandFailure: Error, Hashable, Sendable {
  public let sentence: String

  public init(_ sentence: String) {
    self.sentence = sentence
  }
}

/// Reads and writes `config.toml` for the screen.
@MainActor
public protocol ConfigDesk: AnyObject {
  /// Writes an option down.
  ///
  /// - Throws: ``ConfigFileError`` that says why it can't.
  func write(_ key: ConfigKey, _ value: ConfigValue, in account: String?) throws(ConfigFileError)
  /// Reads the files again. Returns what is wrong in them; nil if nothing is.
  func reload() -> String?
  /// The commands of the user's own.
  var commands: [OwnCommand] { get }
  /// The views of the user's own.
  var views: [OwnView] { get }
  /// Runs a command line of the user's in a shell, with `input` as its standard input and `environment` added. The
  /// completion gets what it printed, or why it failed.
  func run(
    _ line: String, input: [UInt8], environment: [String: String],
    completion: @escaping @MainActor (Result<String, CommandFailure>) -> Void)
  /// Applies an option of the program rather than of a screen, such as the browser.
  func apply(_ key: ConfigKey, _ value: ConfigValue)
}

/// What the reader has set: in `config.toml`, and for this time by keys and `:set`. Without that file, what is set for
/// all accounts outlives the program in another, if there is one.
@MainActor
public final class ReaderSettings {
  private var file: SettingsFile?
  /// The account whose settings these are; nil: all.
  public let account: String?
  /// Those that are set; few, so a list is searched as fast as a table.
  private var values: [(key: ConfigKey, value: ConfigValue)] = []

  /// Where `:set!` and `:reload` go; nil: there is no configuration.
  public weak var desk: (any ConfigDesk)?

  /// Sent after a setting has changed.
  public var didChange = TargetActions()

  /// The settings of `config` for `account`, and over them those of `file`; without one they last until the program
  /// ends.
  public init(_ config: Config = Config(), for account: String? = nil, file: SettingsFile? = nil) {
    self.file = file
    self.account = account
    take(config)
    for (name, value) in file?.load() ?? [:] {
      guard let key = ConfigKey(name: name), let value = key.option.value(typed: value) else { continue }
      put(key, value)
    }
  }

  /// The value of an option.
  public subscript(key: ConfigKey) -> ConfigValue {
    values.first { $0.key == key }?.value ?? key.option.standard
  }

  /// Those that are set, for a file that is made of them.
  public var all: [(key: ConfigKey, value: ConfigValue)] { values }

  /// Sets an option, and keeps it in the file.
  public func set(_ key: ConfigKey, to value: ConfigValue) {
    guard self[key] != value else { return }
    put(key, value)
    file?.set(key.name, to: value.typed)
    didChange.send()
  }

  /// Keeps nothing any more: there is a configuration now.
  public func endKeeping() { file = nil }

  /// Replaces all settings by those of `config`.
  public func use(_ config: Config) {
    values = []
    take(config)
    didChange.send()
  }

  private func take(_ config: Config) {
    for key in ConfigKey.allCases {
      if let value = config.value(of: key, in: account) { put(key, value) }
    }
  }

  private func put(_ key: ConfigKey, _ value: ConfigValue) {
    values.removeAll { $0.key == key }
    values.append((key, value))
  }
}

/// The settings as what they are.
extension ReaderSettings {
  /// How qwinks are listed.
  var density: Density {
    get { Density(rawValue: self[.density].text) ?? .comfortable }
    set { set(.density, to: .text(newValue.rawValue)) }
  }

  /// Whether Enter sends a chat message; if not, it begins a new line.
  var enterSends: Bool {
    get { self[.enter].text == "sends" }
    set { set(.enter, to: .text(newValue ? "sends" : "newline")) }
  }

  /// Whether new qwinks flow in for a reader who rests at the top; if not, they wait above.
  var letsFlow: Bool { self[.new].text == "flows" }

  /// What timelines leave out until their reader chooses otherwise.
  var hiddenKinds: Set<HiddenKind> { Set(self[.hide].list.compactMap(HiddenKind.init)) }

  /// How direct messages and mentions call.
  var attention: AttentionKind { AttentionKind(rawValue: self[.attention].text) ?? .off }

  /// When they don't; nil: they always do.
  var quietHours: QuietHours? { QuietHours(rawValue: self[.quiet].text) }

  /// How pictures are shown.
  var pictures: PictureForm {
    get { PictureForm(rawValue: self[.pictures].text) ?? .kitty }
    set { set(.pictures, to: .text(newValue.rawValue)) }
  }

  /// Whose pictures are fetched without a key.
  public var pictureSources: MediaRules.Sources { MediaRules.Sources(rawValue: self[.picturesFrom].text) ?? .server }

  /// Whether pictures are fetched by key only.
  public var isMetered: Bool { self[.metered].flag }

  /// Whether there is a question before quitting, and before a qwink is deleted.
  var asksToQuit: Bool { self[.confirmQuit].flag }
  var asksToDelete: Bool { self[.confirmDelete].flag }

  /// How many seconds an act can be taken back before it is done; 0: none.
  public var holdSeconds: Int { self[.hold].number }

  /// The section shown at the start; nil: where the reader left.
  var startSection: Section? { Section(rawValue: self[.start].text) }

  /// Whether the messages stand beside the section at the start; nil: as it was left, or as there is room.
  var showsMessagesPane: Bool? {
    switch self[.messagesPane].text {
    case "show": true
    case "hide": false
    default: nil
    }
  }

  /// Who may read a new qwink; nil: as the server says.
  public var audience: Visibility? {
    switch self[.audience].text {
    case "public": .public
    case "unlisted": .unlisted
    case "followers": .private
    case "direct": .direct
    default: nil
    }
  }

  /// The language of a new qwink; nil: the server decides.
  public var language: String? { self[.language].text.isEmpty ? nil : self[.language].text }

  /// How times are told.
  public var timeForm: ClockZone.Form { ClockZone.Form(rawValue: self[.times].text) ?? .relative }

  /// What the cache may keep.
  public var cacheLimits: CacheLimits { CacheLimits(size: self[.cache].number << 20) }
}
