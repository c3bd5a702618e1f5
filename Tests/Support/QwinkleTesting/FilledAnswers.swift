/// API responses with a given text in every field that other users control. They are valid JSON if the text is valid.
public struct FilledAnswers {
  private let text: () -> [UInt8]
  private var number = 0
  private var statusCount = 0

  /// - Parameter text: Returns the content of a JSON string, a different one each time.
  public init(text: @escaping () -> [UInt8]) {
    self.text = text
  }

  // MARK: Answers

  /// Returns the response to a request for `path`, which has no query. Returns nil for unknown paths.
  public mutating func answer(to path: String) -> [UInt8]? {
    let words = path.split(separator: "/")
    switch (words.dropFirst(2).first, words.last) {
    case (_, "context"): return context()
    case (_, "history"): return versions(4)
    case (_, "followers"), (_, "following"), (_, "reblogged_by"), (_, "favourited_by"): return accounts(20)
    case ("notifications", _): return notifications(20)
    case ("conversations", _): return conversations(20)
    case ("search", _): return searchResults()
    case ("instance", _): return instance()
    case ("timelines", _), ("bookmarks", _), ("favourites", _), (_, "statuses"): return statuses(20)
    case ("accounts", "relationships"): return Array("[]".utf8)
    case ("accounts", _): return account()
    case ("statuses", _): return status()
    case ("markers", _): return Array("{}".utf8)
    default: return nil
    }
  }

  public mutating func statuses(_ count: Int) -> [UInt8] { list(count) { $0.status() } }

  public mutating func accounts(_ count: Int) -> [UInt8] { list(count) { $0.account() } }

  /// A page of notifications of all known types and of unknown types.
  public mutating func notifications(_ count: Int) -> [UInt8] {
    let types = ["mention", "reblog", "favourite", "follow", "follow_request", "poll", "status", "update"]
    return list(count) { answers in
      let index = answers.number % (types.count + 1)
      let type = index < types.count ? Array(types[index].utf8) : answers.text()
      return answers.object([
        ("id", answers.quoted(answers.identifier())), ("type", answers.quoted(type)), ("created_at", answers.date()),
        ("account", answers.account()), ("status", answers.status()),
      ])
    }
  }

  public mutating func conversations(_ count: Int) -> [UInt8] {
    list(count) { answers in
      answers.object([
        ("id", answers.quoted(answers.identifier())), ("unread", Array("true".utf8)),
        ("accounts", answers.list(2) { $0.account() }), ("last_status", answers.status(visibility: "direct")),
      ])
    }
  }

  /// The history of a status.
  public mutating func versions(_ count: Int) -> [UInt8] {
    list(count) { answers in
      answers.object([
        ("content", answers.html()), ("spoiler_text", answers.quoted(answers.text())), ("created_at", answers.date()),
        ("account", answers.account()), ("media_attachments", answers.attachments()),
      ])
    }
  }

  /// The context of a status.
  public mutating func context() -> [UInt8] {
    object([("ancestors", list(2) { $0.status() }), ("descendants", list(4) { $0.status() })])
  }

  public mutating func searchResults() -> [UInt8] {
    object([
      ("accounts", list(5) { $0.account() }), ("statuses", list(5) { $0.status() }), ("hashtags", list(5) { $0.tag() }),
    ])
  }

  /// A description of the server.
  public mutating func instance() -> [UInt8] {
    object([
      ("domain", quoted(text())), ("title", quoted(text())), ("description", quoted(text())),
      ("version", quoted(text())),
    ])
  }

  public mutating func error() -> [UInt8] {
    object([("error", quoted(text())), ("error_description", quoted(text()))])
  }

  // MARK: Entities

  public mutating func account() -> [UInt8] {
    object([
      ("id", quoted(identifier())), ("username", quoted(text())), ("acct", quoted(text())),
      ("display_name", quoted(text())), ("note", html()), ("url", address()), ("avatar", address()),
      ("created_at", date()), ("emojis", list(1) { $0.emoji() }),
      ("fields", list(2) { $0.object([("name", $0.quoted($0.text())), ("value", $0.html())]) }),
    ])
  }

  /// A status. Every third one has a content warning, which hides the rest.
  public mutating func status(visibility: String = "public") -> [UInt8] {
    statusCount += 1
    let warning = statusCount % 3 == 0 ? text() : []
    return object([
      ("id", quoted(identifier())), ("uri", quoted(text())), ("url", address()), ("created_at", date()),
      ("edited_at", date()), ("visibility", quoted(Array(visibility.utf8))), ("language", quoted(text())),
      ("content", html()), ("spoiler_text", quoted(warning)), ("account", account()),
      ("media_attachments", attachments()), ("poll", poll()), ("card", card()), ("mentions", list(1) { $0.mention() }),
      ("tags", list(1) { $0.tag() }), ("emojis", list(1) { $0.emoji() }),
      ("application", object([("name", quoted(text())), ("website", address())])),
      ("filtered", statusCount % 7 == 0 ? list(1) { $0.filterResult() } : Array("[]".utf8)),
    ])
  }

  private mutating func attachments() -> [UInt8] {
    list(2) { answers in
      answers.object([
        ("id", answers.quoted(answers.identifier())), ("type", answers.quoted(Array("image".utf8))),
        ("url", answers.address()), ("description", answers.quoted(answers.text())),
      ])
    }
  }

  private mutating func poll() -> [UInt8] {
    object([
      ("id", quoted(identifier())), ("options", list(3) { $0.object([("title", $0.quoted($0.text()))]) }),
    ])
  }

  private mutating func card() -> [UInt8] {
    object([
      ("url", quoted(Array("https://example.org/card".utf8))), ("title", quoted(text())),
      ("description", quoted(text())), ("provider_name", quoted(text())),
    ])
  }

  private mutating func mention() -> [UInt8] {
    object([
      ("id", quoted(identifier())), ("username", quoted(text())), ("acct", quoted(text())), ("url", address()),
    ])
  }

  private mutating func tag() -> [UInt8] { object([("name", quoted(text())), ("url", address())]) }

  private mutating func emoji() -> [UInt8] { object([("shortcode", quoted(text())), ("url", address())]) }

  private mutating func filterResult() -> [UInt8] { object([("filter", object([("title", quoted(text()))]))]) }

  // MARK: JSON

  private mutating func identifier() -> [UInt8] {
    number += 1
    return Array("\(1_000_000 - number)".utf8)
  }

  private func date() -> [UInt8] {
    Array("\"2026-01-01T00:00:\(number % 60 < 10 ? "0" : "")\(number % 60).000Z\"".utf8)
  }

  private func html() -> [UInt8] {
    let link = Array("<a href='https://".utf8) + text() + Array("'>".utf8) + text() + Array("</a>".utf8)
    return quoted(Array("<p>".utf8) + text() + link + text() + Array("</p>".utf8))
  }

  private func address() -> [UInt8] { quoted(Array("https://example.org/".utf8) + text()) }

  private func quoted(_ text: [UInt8]) -> [UInt8] { Array("\"".utf8) + text + Array("\"".utf8) }

  private func object(_ members: [(String, [UInt8])]) -> [UInt8] {
    let parts = members.map { Array("\"\($0.0)\":".utf8) + $0.1 }
    return Array("{".utf8) + Array(parts.joined(separator: Array(",".utf8))) + Array("}".utf8)
  }

  private mutating func list(_ count: Int, _ item: (inout FilledAnswers) -> [UInt8]) -> [UInt8] {
    var parts: [[UInt8]] = []
    for _ in 0..<count { parts.append(item(&self)) }
    return Array("[".utf8) + Array(parts.joined(separator: Array(",".utf8))) + Array("]".utf8)
  }
}
