import Foundation
import TerminalTesting
import Testing

/// Text shown to users: string literals, the keymap and the welcome.
@Suite(.bounded) struct UserWordsTests {
  /// What no sentence to a person says, and what it says instead.
  private static let unused: [(pattern: String, instead: String)] = [
    (#"\bnotices?\b"#, "notification"), (#"\bmarks?\b"#, "bookmark"), (#"\bqwinkers?\b"#, "user, account, @name"),
    (#"\b(takes?|taken|took) (it )?back\b"#, "undo"), (#"\banew\b"#, "again"), (#"\bwho(m|ever)\b"#, "the person"),
    (#"\bgiven up\b"#, "cancelled"), (#"\bprivate message"#, "message"), (#"\bwrites? privately\b"#, "message"),
    (#"\btr(y|ies) again now\b"#, "retries"), (#"\bnobody knows\b"#, "unknown"), (#"\btells? of\b"#, "says"),
    (#"\basks? who you are\b"#, "requires you to sign in"), (#"\bgood for nothing\b"#, "revoked"),
    (#"\bin between\b"#, "not loaded"), (#"\bthat is all there is\b"#, "End of list"), (#"\bor no longer\b"#, "undo"),
  ]

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let folders = ["QwinkleScreens", "QwinkleAccount", "QwinkleApp", "QwinkleService", "QwinkleModel"]

  /// Places of words that are no sentences to a person: names that are kept for what older versions wrote.
  private static let formerNames: Set<String> = [
    "TimelineName.swift", "NotificationsCommand.swift", "PromptCommand+Table.swift", "Place.swift",
  ]

  /// The sentences of a Swift file: literals with a blank in them, without what is interpolated.
  private static func sentences(inSwift source: String) -> [String] {
    source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.flatMap { line in
      line.replacing(#/\\\((?:[^()]|\([^()]*\))*\)/#, with: "X").matches(of: #/"((?:[^"\\]|\\.)*)"/#)
        .map { String($0.1) }
    }
    .filter { $0.contains(" ") && $0.contains { $0.isLetter } }
  }

  private static let all: [(file: String, sentence: String)] = {
    var found: [(String, String)] = []
    for folder in folders {
      let url = root.appending(path: "Sources/\(folder)")
      for path in (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? [] where path.hasSuffix(".swift")
      {
        let source = (try? String(contentsOf: url.appending(path: path), encoding: .utf8)) ?? ""
        let name = url.appending(path: path).lastPathComponent
        found += sentences(inSwift: source).map { (name, $0) }
      }
    }
    for name in ["keymap.txt", "welcome.txt"] {
      let text = (try? String(contentsOf: root.appending(path: "Resources/\(name)"), encoding: .utf8)) ?? ""
      found += text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { (name, String($0)) }
    }
    return found
  }()

  @Test func `there are sentences to look at`() {
    #expect(Self.all.count > 400)
    #expect(Self.all.contains { $0.file == "keymap.txt" } && Self.all.contains { $0.file == "welcome.txt" })
    #expect(Self.sentences(inSwift: #"say("Two \(count(of: "x y")) words")"#) == ["Two X words"])
  }

  @Test func `no sentence has a word that people would not use`() throws {
    for (pattern, instead) in Self.unused {
      let pattern = try Regex(pattern).ignoresCase()
      for (file, sentence) in Self.all where !Self.formerNames.contains(file) && sentence.contains(pattern) {
        Issue.record("\(file): “\(sentence)”: better “\(instead)”")
      }
    }
  }

  @Test func `no sentence is too long, ends twice or gives one advice twice`() {
    for (file, sentence) in Self.all where file != "welcome.txt" && file != "keymap.txt" {
      #expect(sentence.count <= 200, "\(file): “\(sentence)”")
      #expect(!sentence.contains(#/[.!?] ?\.(?!\.)/#) && !sentence.contains("  ."), "\(file): “\(sentence)”")
      for advice in ["R retries", "Try again", "q goes back", "press q"] {
        #expect(sentence.components(separatedBy: advice).count <= 2, "\(file): “\(sentence)”")
      }
    }
  }
}
