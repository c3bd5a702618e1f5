import QwinkleModel

/// An option of `config.toml`: what it is called, what it may be, and what it means. The commented default, the checks,
/// the completion of `:set` and the manual are all made of these.
public struct ConfigOption: Hashable, Sendable {
  /// What a value may be.
  public enum Kind: Hashable, Sendable {
    case flag
    case choice([String])
    /// One of these words, or the https address of a file.
    case choiceOrAddress([String])
    case numbers([Int])
    /// A number of seconds.
    case seconds(ClosedRange<Int>)
    /// `off`, or hours such as `22-7`.
    case hours
    /// The code of a language, or nothing.
    case language
    /// A command's words, or nothing.
    case command
    /// Some of these words.
    case words([String])
  }

  /// A group of options, a heading in the file.
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
  /// A sentence or two on what it does.
  public let meaning: String
  /// Whether an account may have a value of its own.
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

  /// What can be typed after `:set` and the name.
  public var examples: [String] {
    switch kind {
    case .flag: ["on", "off"]
    case .choice(let words), .choiceOrAddress(let words): words
    case .numbers(let numbers): numbers.map(String.init)
    case .seconds(let range): [range.lowerBound, range.upperBound].map(String.init)
    case .hours: ["off", "22-7"]
    case .language: ["en"]
    case .command: []
    case .words(let words): words + ["none"]
    }
  }

  /// Whether its value is one of some words.
  public var isOneOfWords: Bool {
    switch kind {
    case .flag, .choice, .choiceOrAddress: true
    case .numbers, .seconds, .hours, .language, .command, .words: false
    }
  }

  /// What the file may say: `"comfortable", "compact"`.
  public var choices: String {
    switch kind {
    case .flag: "true or false"
    case .choice(let words): Self.or(words.map(TOMLText.quoted))
    case .choiceOrAddress(let words): Self.or(words.map(TOMLText.quoted) + ["an https address"])
    case .numbers(let numbers): Self.or(numbers.map(String.init))
    case .seconds(let range): "seconds from \(range.lowerBound) to \(range.upperBound)"
    case .hours: "\"off\" or hours such as \"22-7\""
    case .language: "a language code such as \"en\", or \"\""
    case .command: "a command, or \"\""
    case .words(let words): "a list of " + Self.or(words.map(TOMLText.quoted))
    }
  }

  private static func or(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  // MARK: Checking

  /// Why `value` is refused; nil if it is not.
  public func refusal(of value: ConfigValue) -> String? {
    guard !allows(value) else { return nil }
    var sentence = "\(name) must be \(choices), not \(value.toml.prefix(60))."
    if let nearest = nearest(to: value) { sentence += " Did you mean \(nearest.toml)?" }
    return sentence
  }

  /// Whether `value` is one that it may have.
  public func allows(_ value: ConfigValue) -> Bool {
    switch (kind, value) {
    case (.flag, .flag): true
    case (.choice(let words), .text(let word)): words.contains(word)
    case (.choiceOrAddress(let words), .text(let word)): words.contains(word) || Self.isAddress(word)
    case (.numbers(let numbers), .number(let number)): numbers.contains(number)
    case (.seconds(let range), .number(let number)): range.contains(number)
    case (.hours, .text(let text)): text == "off" || HourRange(text) != nil
    case (.language, .text(let text)): text.isEmpty || LanguageCode.isCode(text)
    case (.command, .text(let text)): !text.contains { $0.isNewline || $0 == "\0" }
    case (.words(let words), .list(let list)): list.allSatisfy(words.contains)
    default: false
    }
  }

  private func nearest(to value: ConfigValue) -> ConfigValue? {
    switch (kind, value) {
    case (.flag, .text(let word)):
      ["on", "yes", "true"].contains(word.lowercased())
        ? .flag(true) : ["off", "no", "false"].contains(word.lowercased()) ? .flag(false) : nil
    case (.choice(let words), .text(let word)), (.choiceOrAddress(let words), .text(let word)):
      NearestWord.find(word, among: words).map { .text($0) }
    case (.choice(let words), .flag(let flag)):
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
    default: nil
    }
  }

  /// Whether a value is the address of a file to be fetched.
  public static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("https://") && text.utf8.count <= 2000 && WebAddress(text).map { !$0.namesUser } ?? false
  }

  private func clamped(_ number: Int) -> Int { max(-1_000_000, min(1_000_000, number)) }

  /// The value that was typed after `:set` and the name; nil if it is none.
  public func value(typed: String) -> ConfigValue? {
    let value: ConfigValue? =
      switch kind {
      case .flag: ["on": true, "true": true, "off": false, "false": false][typed].map { .flag($0) }
      case .numbers, .seconds: Int(typed).map { .number($0) }
      case .choice, .choiceOrAddress, .hours, .command: .text(typed)
      case .language: .text(typed == "none" ? "" : typed)
      case .words: .list(typed == "none" ? [] : typed.split(separator: " ").map(String.init))
      }
    return value.flatMap { allows($0) ? $0 : nil }
  }
}

/// Hours of the day: `22-7`.
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
