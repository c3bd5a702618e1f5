import OnDemandResources
import QwinkleModel

/// Strings of the resources screen.
public enum ResourceWords {
  static let title = "Resources"
  static let none = "No cached pictures yet"
  static let question = "Purge all pictures that are not in use?"

  static func state(_ state: ResourceStatus.State) -> String {
    switch state {
    case .notHere: "not cached"
    case .loading(let fraction): PictureWords.loading(fraction)
    case .paused(let fraction): fraction.map { "paused at \(Int(($0 * 100).rounded(.down))) %" } ?? "paused"
    case .here: "cached"
    case .inUse: "in use"
    }
  }

  static let isNext = "next to be purged"

  /// Returns why the files are on disk: the screens that use them, such as `in use by Home, thread of @bob`, or the
  /// priority that retains them. Returns nil if no file is on disk.
  ///
  /// - Parameter names: Returns the name of a tag.
  static func reason(_ status: ResourceStatus, name: (ResourceTag) -> String) -> String? {
    if case .inUse(let count) = status.state {
      let users = status.owners.isEmpty ? Counted.words(count, "request") : status.owners.joined(separator: ", ")
      return "in use by \(users)"
    }
    guard let keptBy = status.keptBy else { return nil }
    if status.isNextToPurge { return isNext }
    let tag = keptBy == status.tag ? "" : "\(name(keptBy)), "
    return "kept: \(tag)priority \(level(status.keptPriority))/10"
  }

  /// A priority from 0 to 1 as a number from 0 to 10.
  public static func level(_ priority: Double) -> Int { Int((priority * 10).rounded()) }

  /// `avatar @bob: priority 9/10`.
  static func chosen(_ name: String, _ priority: Double) -> String { "\(name): priority \(level(priority))/10" }

  static let isHighest = "The priority is the highest already"
  static let isLowest = "The priority is the lowest already"

  static func dropped(_ bytes: Int) -> String {
    "Disk is nearly full: dropped \(size(bytes)) of pictures, which can be fetched again."
  }

  /// Names of screens that use files.
  static func thread(by author: Qwinker) -> String { "thread of @\(author.handle)" }
  static func viewer(of author: Qwinker) -> String { "picture of @\(author.handle)" }

  static let nothingLoads = "Nothing is loading here"
  static let resume = "resume"
  static let paused = "Paused"
  static let resumed = "Loading again"
  static let cancelled = "Cancelled"
  static let loaded = "Loaded"
  static let isHere = "Already cached"

  static func failed(_ reason: String) -> String { "Not loaded: \(reason)" }

  /// Returns a size such as `340 KB`.
  public static func size(_ bytes: Int) -> String {
    switch bytes {
    case 0: "–"
    case ..<1024: "\(bytes) B"
    case ..<(1 << 20): "\(bytes >> 10) KB"
    default: "\(bytes >> 20).\((bytes >> 10 & 1023) * 10 >> 10) MB"
    }
  }

  /// Returns the priority for staying in the cache, such as `keep 5/10`.
  static func priority(_ priority: Double) -> String { "keep \(level(priority))/10" }

  static func sums(count: Int, onDisk: Int, inUse: Int, limit: Int) -> String {
    func amount(_ bytes: Int) -> String { bytes == 0 ? "nothing" : size(bytes) }
    return "\(count) \(count == 1 ? "tag" : "tags") · \(amount(onDisk)) of \(size(limit)) on disk · "
      + "\(amount(inUse)) in use"
  }

  /// Returns the name of a tag for pictures of `qwink`, with its author. The qwink is nil if it isn't loaded.
  static func name(_ part: ResourceTag.QwinkPart, of qwink: Qwink?) -> String {
    let what =
      switch part {
      case .pictures: "pictures"
      case .picture(let number): "picture \(number)"
      case .thread: "thread"
      }
    return "\(what) of " + (qwink.map { "@\($0.author.handle)" } ?? "a post")
  }

  /// Returns the name of a tag for pictures of `qwink`, with its author and text. If a warning or filter covers the
  /// text, the words of `cover` replace it.
  static func name(_ part: ResourceTag.QwinkPart, of qwink: Qwink?, under cover: Disclosure.Cover?) -> String {
    let words = qwink.map { cover?.words ?? $0.text.oneLine } ?? ""
    return name(part, of: qwink) + (words.isEmpty ? "" : " \(OutboxWords.quoted(words))")
  }

  public static func purged(_ bytes: Int) -> String {
    bytes == 0 ? "Nothing purged: all is in use" : "Purged \(size(bytes))"
  }
}
