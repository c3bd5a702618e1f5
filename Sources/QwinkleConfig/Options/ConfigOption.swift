import QwinkleModel

/// An option of `config.toml`: its name, valid values and meaning. The default file, the validation, the completion of
/// `:set` and the manual are all derived from ``all``.
public struct ConfigOption: Hashable, Sendable {
  /// The valid values.
  public enum Kind: Hashable, Sendable {
    case flag
    case choice([String])
    /// One of these words, or the https address of a file.
    case choiceOrAddress([String])
    /// One of these words, or an absolute path.
    case choiceOrPath([String])
    case numbers([Int])
    /// A number of seconds in this range.
    case seconds(ClosedRange<Int>)
    /// `off`, or hours such as `22-7`.
    case hours
    /// A language code, or an empty string.
    case language
    /// A command, or an empty string.
    case command
    /// A list of any of these words.
    case words([String])
    /// A list of priorities such as `avatars=9`; see ``Preservation``.
    case priorities
  }

  /// A group of options under one heading in the file.
  public enum Group: String, CaseIterable, Sendable {
    case screen = "Screen"
    case terminal = "Terminal"
    case notifications = "Notifications"
    case pictures = "Pictures"
    case writing = "Writing"
    case questions = "Questions"
    case programs = "Programs"
    case network = "Network and storage"
  }

  public let key: ConfigKey
  public let name: String
  public let group: Group
  public let kind: Kind
  public let standard: ConfigValue
  /// A description in one or two sentences.
  public let meaning: String
  /// Whether the option can be set for a single account.
  public let isPerAccount: Bool

  init(
    _ key: ConfigKey, _ name: String, _ group: Group, _ kind: Kind, _ standard: ConfigValue, perAccount: Bool = false,
    _ meaning: String
  ) {
    self.key = key
    self.name = name
    self.group = group
    self.kind = kind
    self.standard = standard
    self.meaning = meaning
    isPerAccount = perAccount
  }

  /// The values that are suggested after the user types `:set` and the option's name.
  public var examples: [String] {
    switch kind {
    case .flag: ["on", "off"]
    case .choice(let words), .choiceOrAddress(let words), .choiceOrPath(let words): words
    case .numbers(let numbers): numbers.map(String.init)
    case .seconds(let range): [range.lowerBound, range.upperBound].map(String.init)
    case .hours: ["off", "22-7"]
    case .language: ["en"]
    case .command: []
    case .words(let words): words + ["none"]
    case .priorities: ResourceKind.allCases.map { "\($0.rawValue)=\($0.standardPriority)" } + ["none"]
    }
  }

  /// Whether a typed value is usually one word from a fixed list, so that a typing error can be corrected.
  public var isOneOfWords: Bool {
    switch kind {
    case .flag, .choice, .choiceOrAddress, .choiceOrPath: true
    case .numbers, .seconds, .hours, .language, .command, .words, .priorities: false
    }
  }

  /// The valid values as written in the file, such as `"comfortable" or "compact"`.
  public var choices: String {
    switch kind {
    case .flag: "true or false"
    case .choice(let words): words.map(TOMLText.quoted).listed("or")
    case .choiceOrAddress(let words): (words.map(TOMLText.quoted) + ["an https address"]).listed("or")
    case .choiceOrPath(let words): (words.map(TOMLText.quoted) + ["a path that begins with /"]).listed("or")
    case .numbers(let numbers): numbers.map(String.init).listed("or")
    case .seconds(let range): "seconds from \(range.lowerBound) to \(range.upperBound)"
    case .hours: "\"off\" or hours such as \"22-7\""
    case .language: "a language code such as \"en\", or \"\""
    case .command: "a command, or \"\""
    case .words(let words): "a list of " + words.map(TOMLText.quoted).listed("or")
    case .priorities:
      "a list of priorities such as \"avatars=9\", of "
        + ResourceKind.allCases.map(\.rawValue).listed("or") + ", from 0 to 10"
    }
  }

  // MARK: Checking

  /// Returns the reason for rejecting `value`, or nil if it's valid.
  public func refusal(of value: ConfigValue) -> String? {
    guard !allows(value) else { return nil }
    var sentence = "\(name) must be \(choices), not \(value.toml.prefix(60))."
    if let nearest = nearest(to: value) { sentence += " Did you mean \(nearest.toml)?" }
    return sentence
  }

  /// Whether `value` is valid for this option.
  public func allows(_ value: ConfigValue) -> Bool {
    switch (kind, value) {
    case (.flag, .flag): true
    case (.choice(let words), .text(let word)): words.contains(word)
    case (.choiceOrAddress(let words), .text(let word)): words.contains(word) || Self.isAddress(word)
    case (.choiceOrPath(let words), .text(let word)): words.contains(word) || Self.isPath(word)
    case (.numbers(let numbers), .number(let number)): numbers.contains(number)
    case (.seconds(let range), .number(let number)): range.contains(number)
    case (.hours, .text(let text)): text == "off" || HourRange(text) != nil
    case (.language, .text(let text)): text.isEmpty || LanguageCode.isCode(text)
    case (.command, .text(let text)): !text.contains { $0.isNewline || $0 == "\0" }
    case (.words(let words), .list(let list)): list.allSatisfy(words.contains)
    case (.priorities, .list(let list)): Preservation.allows(list)
    default: false
    }
  }

  private func nearest(to value: ConfigValue) -> ConfigValue? {
    switch (kind, value) {
    case (.flag, .text(let word)):
      ["on", "yes", "true"].contains(word.lowercased())
        ? .flag(true) : ["off", "no", "false"].contains(word.lowercased()) ? .flag(false) : nil
    case (.choice(let words), .text(let word)), (.choiceOrAddress(let words), .text(let word)),
      (.choiceOrPath(let words), .text(let word)):
      NearestWord.find(word, among: words).map { .text($0) }
    case (.choice(let words), .flag(let flag)), (.choiceOrPath(let words), .flag(let flag)):
      words.first { $0 == (flag ? "on" : "off") }.map { .text($0) }
    case (.choice(let words), .number(let number)): words.first { $0 == String(number) }.map { .text($0) }
    case (.numbers(let numbers), .number(let number)):
      numbers.min { abs($0 - clamped(number)) < abs($1 - clamped(number)) }.map { .number($0) }
    case (.seconds(let range), .number(let number)):
      .number(number < range.lowerBound ? range.lowerBound : range.upperBound)
    case (.seconds(let range), .text(let text)): Int(text).flatMap { range.contains($0) ? .number($0) : nil }
    case (.numbers(let numbers), .text(let text)): Int(text).flatMap { numbers.contains($0) ? .number($0) : nil }
    case (.hours, .flag(false)): .text("off")
    case (.words(let words), .list(let list)):
      list.first { !words.contains($0) }.flatMap { NearestWord.find($0, among: words) }.map { .list([$0]) }
    case (.words(let words), .text(let word)): NearestWord.find(word, among: words).map { .list([$0]) }
    case (.priorities, .list(let list)): list.lazy.compactMap(Preservation.nearest).first.map { .list([$0]) }
    case (.priorities, .text(let text)):
      Preservation.allows([text]) ? .list([text]) : Preservation.nearest(to: text).map { .list([$0]) }
    default: nil
    }
  }

  /// Whether `text` is the https address of a file to fetch.
  public static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("https://") && text.utf8.count <= 2000 && WebAddress(text).map { !$0.namesUser } ?? false
  }

  /// Whether `text` is an absolute path of a file.
  static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") && !text.hasSuffix("/") && text.utf8.count <= 4096
      && !text.contains { $0.isNewline || $0 == "\0" }
  }

  private func clamped(_ number: Int) -> Int { max(-1_000_000, min(1_000_000, number)) }

  /// Parses the text typed after `:set` and the name. Returns nil if it isn't a valid value.
  public func value(typed: String) -> ConfigValue? {
    let value: ConfigValue? =
      switch kind {
      case .flag: ["on": true, "true": true, "off": false, "false": false][typed].map { .flag($0) }
      case .numbers, .seconds: Int(typed).map { .number($0) }
      case .choice, .choiceOrAddress, .choiceOrPath, .hours: .text(typed)
      case .language, .command: .text(typed == "none" ? "" : typed)
      case .words, .priorities: .list(typed == "none" ? [] : typed.split(separator: " ").map(String.init))
      }
    return value.flatMap { allows($0) ? $0 : nil }
  }
}

/// A range of hours of the day. It can cross midnight, such as `22-7`.
public struct HourRange: Hashable, Sendable {
  public let from: Int
  public let to: Int

  public init?(_ text: String) {
    let hours = text.split(separator: "-", omittingEmptySubsequences: false)
    guard hours.count == 2, let from = Self.hour(hours[0]), let to = Self.hour(hours[1]), from != to else { return nil }
    self.from = from
    self.to = to
  }

  private static func hour(_ text: Substring) -> Int? {
    guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text).flatMap { (0...23).contains($0) ? $0 : nil }
  }
}
