import FoundationEssentials

/// Answers recorded from servers that nobody here wrote.
struct Corpus {
  /// One recorded exchange.
  struct Answer: Decodable {
    var file: String
    var method: String?
    var path: String?
    var status: Int?
    var link: String?
  }

  /// What an answer holds.
  enum Kind: String, CaseIterable {
    case timeline, status, account, accounts, instance, context
  }

  let server: String
  let folder: URL
  let answers: [Answer]

  /// The recordings of `server`; nil, said on standard output, where they are absent.
  static func named(_ server: String) -> Corpus? {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folders = [
      root.appending(path: "Tests/Fixtures/\(server)"),
      root.deletingLastPathComponent().appending(path: "shared/corpus/\(server)"),
    ]
    for folder in folders {
      guard let index = try? Data(contentsOf: folder.appending(path: "_index.json")) else { continue }
      guard let answers = try? JSONDecoder().decode([Answer].self, from: index) else { continue }
      return Corpus(server: server, folder: folder, answers: answers)
    }
    print("skipped: no recordings of \(server)")
    return nil
  }

  static let all = ["mastodon", "gotosocial", "snac"].compactMap(named)

  func body(of answer: Answer) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: answer.file)))
  }

  /// The answers with status 200, each with what it holds, or with the words for what is not read yet.
  func good() throws -> [(answer: Answer, body: [UInt8], kind: Kind?, words: String)] {
    try answers.filter { $0.status == 200 }.map { answer in
      let body = try body(of: answer)
      let path = (answer.path ?? "").prefix { $0 != "?" }.split(separator: "/").dropFirst(2).map(String.init)
      let kind = Self.kind(method: answer.method ?? "GET", path: path, body: body)
      let words = Self.words(answer.method ?? "GET", path)
      return (answer, body, kind, Self.isScheduled(body) ? words + " (scheduled)" : words)
    }
  }

  private static func kind(method: String, path: [String], body: [UInt8]) -> Kind? {
    switch (path.first, path.count) {
    case ("timelines", _): .timeline
    case ("favourites", 1), ("bookmarks", 1): .timeline
    case ("trends", 2) where path[1] == "statuses": .timeline
    case ("blocks", 1), ("mutes", 1), ("follow_requests", 1): .accounts
    case ("instance", 1): .instance
    case ("accounts", 1): .accounts
    case ("accounts", 2): accountKind(path[1])
    case ("accounts", 3): accountListKind(path[2])
    case ("statuses", 1), ("statuses", 2): isScheduled(body) ? nil : .status
    case ("statuses", 3): statusKind(path[2], isWrite: method != "GET")
    default: nil
    }
  }

  private static func accountKind(_ name: String) -> Kind? {
    switch name {
    case "search": .accounts
    case "relationships", "familiar_followers": nil
    default: .account
    }
  }

  private static func accountListKind(_ name: String) -> Kind? {
    switch name {
    case "statuses": .timeline
    case "followers", "following": .accounts
    default: nil
    }
  }

  private static func statusKind(_ name: String, isWrite: Bool) -> Kind? {
    switch name {
    case "context": .context
    case "reblogged_by", "favourited_by": .accounts
    case "quotes": .timeline
    case "source", "history", "card": nil
    default: isWrite ? .status : nil
    }
  }

  private static func isScheduled(_ body: [UInt8]) -> Bool {
    let text = String(decoding: body.prefix(400), as: UTF8.self)
    return text.contains("\"scheduled_at\"")
  }

  private static func words(_ method: String, _ path: [String]) -> String {
    let isOpaque: (String) -> Bool = { part in part.contains(where: \.isNumber) || part.count > 30 }
    return ([method] + path.map { isOpaque($0) ? "ID" : $0 }).joined(separator: " ")
  }
}
