extension ServerInfo {
  /// A server's limits for polls. Defaults to Mastodon's.
  public struct PollLimits: Hashable, Sendable {
    public var options: Int
    public var charactersPerOption: Int
    /// The range of a poll's duration, in seconds.
    public var seconds: ClosedRange<Int>

    public init(options: Int = 4, charactersPerOption: Int = 50, seconds: ClosedRange<Int> = 300...2_629_746) {
      self.options = options
      self.charactersPerOption = charactersPerOption
      self.seconds = seconds
    }

    /// Returns why the server would reject a poll, as a sentence, or nil if the poll is valid.
    public func refusal(of poll: EntryPoll) -> String? { problem(with: poll)?.sentence }

    /// Returns why and where the server would reject a poll, or nil if the poll is valid.
    public func problem(with poll: EntryPoll) -> PollProblem? {
      let titles = poll.options
      if titles.count < 2 || titles.count > options {
        return PollProblem(
          .option(min(titles.count, options)), "A poll has 2 to \(options) options, not \(titles.count).")
      }
      for (index, title) in titles.enumerated() {
        let name = "Option \(index + 1) of the poll"
        if title.allSatisfy(\.isWhitespace) { return PollProblem(.option(index), "\(name) is empty.") }
        let excess = title.count - charactersPerOption
        if excess > 0 {
          return PollProblem(
            .option(index), "\(name) is \(Counted.words(excess, "character")) over the server's limit.")
        }
        if let same = titles[..<index].firstIndex(of: title) {
          return PollProblem(.option(index), "\(name) is the same as option \(same + 1).")
        }
      }
      guard !seconds.contains(poll.seconds) else { return nil }
      return PollProblem(
        .duration,
        "On this server, a poll lasts \(Self.words(seconds.lowerBound)) to \(Self.words(seconds.upperBound)).")
    }

    private static func words(_ seconds: Int) -> String {
      if seconds >= 172_800 { return "\(seconds / 86_400) days" }
      return seconds >= 7200 ? "\(seconds / 3600) hours" : "\(seconds / 60) minutes"
    }
  }
}

/// The reason that a poll can't be posted.
public struct PollProblem: Hashable, Sendable {
  public enum Place: Hashable, Sendable {
    /// The index of an option, which may be missing.
    case option(Int)
    case duration
  }

  public let place: Place
  public let sentence: String

  init(_ place: Place, _ sentence: String) {
    self.place = place
    self.sentence = sentence
  }
}

extension ServerInfo.Uploads {
  /// Returns why the server would reject a file, as the rest of a sentence that begins with the file's name. Returns
  /// nil if no known limit is exceeded. `type` is the file's media type, if known.
  public func refusal(ofType type: String?, bytes count: Int) -> String? {
    if let type, !types.isEmpty, !types.contains(type) {
      return "is \(type); the server accepts only \(types.sorted().joined(separator: ", "))"
    }
    let most = type.map { $0.hasPrefix("video/") || $0.hasPrefix("audio/") } == true ? videoBytes : bytes
    guard most > 0, count > most else { return nil }
    return "is \(Self.size(count)); the server accepts at most \(Self.size(most))"
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1_048_576 ? "\((bytes + 524_288) / 1_048_576) MB" : "\((bytes + 1023) / 1024) KB"
  }
}
