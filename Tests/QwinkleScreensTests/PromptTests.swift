import Foundation
import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct PromptTests {
  private let navigator = RecordingNavigator()
  private let opener = RecordingOpener()

  /// A prompt over the screen of a server with a few qwinks.
  private func open(
    _ server: ScriptedTimeline = ScriptedTimeline([3, 2, 1]), isSignedIn: Bool = true, columns: Int = 80
  )
    async throws -> (screen: Screen, prompt: CommandPrompt)
  {
    let screen = try await Screen.settled(server, columns: columns, isSignedIn: isSignedIn)
    let keymap = try Screen.keymap()
    let links = LinkActions(account: screen.account, opener: opener, keymap: keymap)
    links.navigator = navigator
    let prompt = CommandPrompt(navigator: navigator, account: screen.account, links: links)
    screen.main.present(prompt)
    await screen.turn()
    return (screen, prompt)
  }

  private func line(of screen: Screen) -> String { screen.lines.last ?? "" }

  // MARK: Running

  @Test func `the prompt is at the bottom, receives all keys and closes with Esc`() async throws {
    let (screen, prompt) = try await open()
    #expect(line(of: screen).hasPrefix(":"))
    #expect(screen.cursor?.row == 23 && screen.cursor?.column == 1)
    screen.type("jq?cR")
    #expect(line(of: screen).hasPrefix(":jq?cR"))
    #expect(screen.selected == 3)
    screen.strike("Esc")
    #expect(!prompt.isOnScreen && navigator.places.isEmpty)
    screen.main.present(prompt)
    await screen.turn()
    #expect(line(of: screen).hasPrefix(":  "))
    screen.strike("BS")
    #expect(!prompt.isOnScreen)
    screen.main.present(prompt)
    screen.type("tag x")
    screen.strike("^C")
    #expect(!prompt.isOnScreen && navigator.places.isEmpty)
  }

  @Test(arguments: [
    ("tag garden", Place.timeline(.tag("garden"))), ("tag #garden", .timeline(.tag("garden"))),
    (":tag garden ", .timeline(.tag("garden"))), ("search two words", .search("two words")),
    ("timeline favourites", .timeline(.favourites)), ("timeline #garden", .timeline(.tag("garden"))),
  ])
  func `a command opens its screen`(text: String, place: Place) async throws {
    let (screen, prompt) = try await open()
    screen.type(text)
    screen.strike("Enter")
    #expect(navigator.places == [place])
    #expect(!prompt.isOnScreen)
  }

  @Test(arguments: ["tag garden kiosk", "tag #garden #kiosk", "tag garden+kiosk"])
  func `several hashtags are requested together`(line: String) async throws {
    let server = ScriptedTimeline([1])
    server.add([.sample(id: "8", text: "A kiosk in a garden")], to: "garden")
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press(":")
    screen.type(line)
    await screen.press("Enter")
    let asked = server.paths.filter { $0.hasPrefix("/api/v1/timelines/tag/") }
    #expect(asked.count == 1 && asked[0].hasPrefix("/api/v1/timelines/tag/garden?"), "\(asked)")
    #expect(asked.first?.hasSuffix("&any%5B%5D=kiosk") == true, "\(asked)")
    #expect(screen.text.contains("A kiosk in a garden"), "\(screen.text)")
  }

  @Test(arguments: [("media", "only_media=true"), ("pictures", "only_media=true"), ("posts", "exclude_replies=true")])
  func `a command shows part of an account's posts or by default the user's own`(
    command: String, query: String
  ) async throws {
    let server = ScriptedTimeline([1])
    server.setAnswer(WireEncoder.qwinker(.sample("bob")), of: "/api/v1/accounts/lookup?acct=bob")
    server.setAnswer(WireEncoder.qwinker(.sample("mara")), of: "/api/v1/accounts/lookup?acct=mara")
    for name in ["bob", "mara"] {
      server.handle(.get, "/api/v1/accounts/\(name)-id/statuses") { _ in
        .json(WireEncoder.qwinks([.sample(id: "8", text: "A kiosk by \(name)")]))
      }
    }
    let screen = try await Screen.settled(server, columns: 100)
    for (line, name) in [("\(command) @bob", "bob"), (command, "mara")] {
      await screen.press(":")
      screen.type(line)
      await screen.press("Enter")
      #expect(screen.text.contains("A kiosk by \(name)"), "\(screen.text)")
      let asked = server.paths.last { $0.hasPrefix("/api/v1/accounts/\(name)-id/statuses?") }
      #expect(asked?.contains("?\(query)&") == true, "\(asked ?? "nothing")")
    }
  }

  @Test func `commands about a qwink use the selected one`() async throws {
    let (screen, prompt) = try await open()
    let qwink = Qwink.sample(id: "boost", author: .sample("bob"))
    screen.type("boosted-by")
    screen.strike("Enter")
    #expect(navigator.words == [PromptWords.noQwink] && !prompt.isOnScreen)
    prompt.selectedQwink = { qwink }
    for command in ["boosted-by", "favourited-by", "history"] {
      screen.main.present(prompt)
      screen.type(command)
      screen.strike("Enter")
    }
    #expect(
      navigator.places == [.qwinkers(.boosters("boost")), .qwinkers(.favouriters("boost")), .versions(qwink)])
  }

  @Test(arguments: [
    ("qwinker", "user"), ("boosters", "boosted-by"), ("favouriters", "favourited-by"), ("versions", "history"),
  ])
  func `a former name works but is not completed`(former: String, name: String) {
    #expect(PromptCommand.named(former)?.name == name)
    let completion = PromptCompletion(of: former) { _ in [] }
    #expect(completion == nil)
  }

  @Test func `the user command shows the account with the given name`() async throws {
    let (screen, prompt) = try await open()
    screen.server.setAnswer(WireEncoder.qwinker(.sample("bob", id: "7")), of: "/api/v1/accounts/lookup?acct=bob")
    screen.type("user @bob")
    screen.strike("Enter")
    #expect(screen.text.contains(PromptWords.lookingUp("bob")))
    await screen.settle()
    guard case .qwinker(let bob) = navigator.places.last else { return #expect(Bool(false), "\(navigator.places)") }
    #expect(bob.id == "7" && !prompt.isOnScreen)
    screen.main.present(prompt)
    screen.type("followers bob")
    await screen.press("Enter")
    #expect(navigator.places.last == .qwinkers(.followers("7"), of: bob))
  }

  @Test func `an unknown user is reported and the line is in the history`() async throws {
    let (screen, prompt) = try await open()
    screen.type("user bobb")
    await screen.press("Enter")
    let sentence = PromptWords.noUser("bobb", on: ScriptedTimeline.host)
    #expect(navigator.words == [sentence] && !prompt.isOnScreen)
    screen.main.present(prompt)
    await screen.press("Up")
    #expect(line(of: screen).hasPrefix(":user bobb"))
  }

  @Test func `a response after Esc opens nothing`() async throws {
    let (screen, _) = try await open()
    screen.server.setAnswer(WireEncoder.qwinker(.sample("bob", id: "7")), of: "/api/v1/accounts/lookup?acct=bob")
    screen.type("user bob")
    screen.strike("Enter")
    #expect(screen.text.contains(PromptWords.lookingUp("bob")))
    screen.strike("Esc")
    await screen.settle()
    #expect(navigator.places.isEmpty)
  }

  nonisolated private static let refused: [(String, String)] = [
    ("dance", withKeys(PromptWords.noCommand("dance", nearest: nil))),
    ("tga x", withKeys(PromptWords.noCommand("tga", nearest: "tag"))),
    ("uesr x", withKeys(PromptWords.noCommand("uesr", nearest: "user"))),
    ("sear x", withKeys(PromptWords.noCommand("sear", nearest: "search"))), ("tag", ":tag NAME"),
    ("tag tea/cups", PromptWords.badTag), ("help me", PromptWords.noArgument("help")),
    ("user a b", PromptWords.badUser("a b")),
    ("timeline nowhere", PromptWords.noTimeline("nowhere", known: TimelineName.words)),
    ("open nothing", PromptWords.badAddress("nothing")),
    ("set mouse maybe", PromptWords.valueMissing("mouse", values: ["on", "off"])),
    ("set theme nigth", PromptWords.noValue("nigth", of: "theme", nearest: "night")),
  ]

  @Test(arguments: refused)
  func `an invalid command shows an error and opens nothing`(text: String, words: String) async throws {
    let (screen, prompt) = try await open()
    screen.type(text)
    screen.strike("Enter")
    #expect(navigator.words.map(withKeys).contains { $0.contains(words) }, "\(navigator.words)")
    #expect(!prompt.isOnScreen && navigator.places.isEmpty)
    screen.resize(rows: 3, columns: 20)
    screen.resize(rows: 1, columns: 1)
  }

  @Test func `commands for the user's own lists need a signed-in account`() async throws {
    let (screen, prompt) = try await open(isSignedIn: false)
    for text in ["timeline home", "timeline bookmarks", "profile", "followers"] {
      if !prompt.isOnScreen { screen.main.present(prompt) }
      screen.type(text)
      screen.strike("Enter")
      #expect(navigator.words.last == PromptWords.signIn, "\(text)")
    }
    #expect(navigator.places.isEmpty)
  }

  @Test func `the account command completes a name and reports an unknown one`() async throws {
    let (screen, prompt) = try await open()
    prompt.accountNames = { ["anna@tilde.example"] }
    var shown: [String] = []
    prompt.showAccount = { name in
      shown.append(name)
      return name == "anna@tilde.example" ? nil : "No account “\(name)”."
    }
    screen.type("account erin")
    screen.strike("Enter")
    #expect(navigator.words == ["No account “erin”."])
    screen.main.present(prompt)
    screen.type("account a")
    screen.strike("Tab", "Enter")
    #expect(shown == ["erin", "anna@tilde.example"])
  }

  @Test func `the help and quit commands do the same as their keys`() async throws {
    let (screen, prompt) = try await open(columns: 100)
    screen.type("help")
    screen.strike("Enter")
    let heading = try Screen.helpHeading(of: .list)
    #expect(screen.text.contains(heading))
    screen.strike("q")
    screen.main.present(prompt)
    screen.type("q")
    screen.strike("Enter")
    #expect(navigator.hasQuit)
  }

  @Test func `the help lists every command`() async throws {
    let screen = try await Screen.settled(rows: 420, columns: 90)
    screen.strike("?")
    let keymap = try Screen.keymap()
    // The meaning of a long command is in the next row.
    let pairs = zip(screen.lines, screen.lines.dropFirst()).map { $0 + "\n" + $1 }
    for command in PromptCommand.all {
      let summary = command.summary(in: keymap)
      #expect(pairs.contains { $0.contains(command.usage) && $0.contains(summary) }, "\(command.name)")
    }
  }

  @Test func `an address opens in the app if the server finds it and otherwise in the browser`() async throws {
    let (screen, prompt) = try await open()
    screen.type("open example.org/kiosk")
    await screen.press("Enter")
    #expect(opener.opened == ["https://example.org/kiosk"])
    screen.server.setAnswer(
      WireEncoder.searchResults(SearchResults(qwinkers: [.sample("bob", id: "7")])), of: "/api/v2/search")
    screen.main.present(prompt)
    screen.type("open https://example.org/@bob")
    await screen.press("Enter")
    guard case .qwinker(let bob) = navigator.places.last else { return #expect(Bool(false), "\(navigator.places)") }
    #expect(bob.id == "7" && opener.opened.count == 1)
  }

  // MARK: Typing

  @Test func `earlier commands are recalled and the unfinished line is restored`() async throws {
    let (screen, prompt) = try await open()
    for text in ["tag one", "tag two", "tag one"] {
      screen.type(text)
      screen.strike("Enter")
      screen.main.present(prompt)
    }
    screen.type("tag thr")
    screen.strike("Up")
    #expect(line(of: screen).hasPrefix(":tag one"))
    screen.strike("Up", "Up", "Up")
    #expect(line(of: screen).hasPrefix(":tag two"))
    screen.strike("Down", "Down", "Down")
    #expect(line(of: screen).hasPrefix(":tag thr"))
    screen.strike("Up", "Enter")
    #expect(navigator.places.last == .timeline(.tag("one")))
  }

  @Test func `Tab completes a command name and cycles through several matches`() async throws {
    let (screen, _) = try await open()
    screen.type("ta")
    screen.strike("Tab")
    #expect(line(of: screen).hasPrefix(":tag ") && line(of: screen).contains("tag NAME"))
    screen.strike("^U")
    screen.type("fo")
    screen.strike("Tab")
    #expect(line(of: screen).hasPrefix(":follow "))
    #expect(screen.lines[22].contains("followers  following"))
    screen.strike("Tab")
    #expect(line(of: screen).hasPrefix(":followers"))
    screen.strike("Tab")
    #expect(line(of: screen).hasPrefix(":following"))
    screen.strike("Tab", "S-Tab")
    #expect(line(of: screen).hasPrefix(":following"))
    screen.type(" ")
    #expect(!screen.lines[22].contains("followers  following"))
    screen.strike("^U", "Tab")
    #expect(screen.text.contains("boosted-by") && screen.text.contains("favourited-by"))
    screen.strike("^U")
    screen.type("zz")
    screen.strike("Tab")
    #expect(screen.text.contains(PromptWords.noMatches))
  }

  @Test func `Tab completes tags, users and timelines seen before`() async throws {
    let server = ScriptedTimeline([])
    var qwink = Qwink.sample(author: .sample("bob"))
    qwink.tags = ["Garden", "gardening"]
    qwink.mentions = [.init(id: "8", userName: "berta", handle: "berta@example.org")]
    server.add([qwink])
    let (screen, _) = try await open(server)
    for (typed, expected) in [
      ("tag g", ":tag Garden"), ("tag #gardeni", ":tag #gardening"), ("user @be", ":user @berta@example.org"),
      ("user bo", ":user bob"), ("timeline f", ":timeline favourites"),
      ("timeline #gardeni", ":timeline #gardening"),
    ] {
      screen.type(typed)
      screen.strike("Tab")
      #expect(line(of: screen) == expected, "\(typed): \(line(of: screen))")
      screen.strike("^E", "^U")
    }
  }

  @Test func `Tab searches the server for unknown user names`() async throws {
    let (screen, _) = try await open()
    screen.server.setAnswer(
      WireEncoder.qwinkers([.sample("zoe"), .sample("zora")]), of: "/api/v1/accounts/search?q=zo")
    screen.type("user zo")
    await screen.press("Tab")
    #expect(screen.lines[22].contains("zoe  zora"))
    screen.strike("Tab", "Tab")
    #expect(line(of: screen).hasPrefix(":user zora"))
  }

  @Test(arguments: ["avatar", "header"])
  func `Tab completes the path of a picture`(command: String) async throws {
    let folder = NSTemporaryDirectory() + "qwinkle-paths-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: "\(folder)/Photos", withIntermediateDirectories: true)
    for name in ["kiosk-day.png", "kiosk-night.png", "Photos/me.png", ".kept.png", "Kite.png"] {
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
    }
    let (screen, prompt) = try await open(columns: 160)
    screen.type("\(command) \(folder)/k")
    await screen.press("Tab")
    #expect(line(of: screen) == ":\(command) \(folder)/kiosk-", "\(screen.text)")
    #expect(screen.lines[22].contains("kiosk-day.png  kiosk-night.png"), "\(screen.text)")
    await screen.press("Tab", "Tab")
    #expect(line(of: screen) == ":\(command) \(folder)/kiosk-night.png", "\(screen.text)")
    for _ in "kiosk-night.png" { screen.strike("BS") }
    await screen.press("Tab")
    #expect(line(of: screen) == ":\(command) \(folder)/", "\(screen.text)")
    #expect(screen.lines[22].contains("Kite.png  Photos/  kiosk-day.png"), "\(screen.text)")
    screen.type("P")
    // Tab continues inside a completed folder.
    await screen.press("Tab", "Tab")
    #expect(line(of: screen) == ":\(command) \(folder)/Photos/me.png", "\(screen.text)")
    screen.type("x")
    await screen.press("Tab")
    #expect(screen.text.contains(PromptWords.noMatches))
    screen.strike("^U")
    prompt.home = folder
    screen.type("\(command) ~/ki")
    await screen.press("Tab")
    #expect(line(of: screen) == ":\(command) ~/kiosk-", "\(screen.text)")
    screen.strike("^U")
    screen.type("\(command) non")
    await screen.press("Tab")
    #expect(line(of: screen) == ":\(command) none", "\(screen.text)")
  }

  @Test(arguments: [40, 80, 120])
  func `set without a value lists the settings and Tab completes them`(columns: Int) async throws {
    let (screen, prompt) = try await open(columns: columns)
    await screen.press("Esc", ":")
    screen.type("set")
    await screen.press("Enter")
    let rows = screen.lines.map { $0.split(separator: " ") }
    #expect(rows.contains(["density", "comfortable"]) && rows.contains(["enter", "sends"]), "\(screen.text)")
    await screen.press("q", ":")
    screen.type("set density")
    await screen.press("Enter")
    #expect(screen.status.contains("density comfortable"), "\(screen.text)")
    screen.main.present(prompt)
    screen.type("set")
    screen.strike("Tab", "Tab")
    let listed = screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for name in ["density", "mouse", "theme"] { #expect(listed.contains(name), "\(listed)") }
    screen.strike("^U")
    screen.type("set at")
    screen.strike("Tab")
    #expect(screen.text.contains("attention bell"), "\(screen.text)")
  }

  @Test func `pasted text becomes one line without control characters`() async throws {
    let (screen, _) = try await open()
    screen.paste("tag gar\u{1B}[2Jden\n")
    #expect(line(of: screen).hasPrefix(":tag gar"))
    #expect(!screen.text.contains("\u{1B}"))
    screen.type(String(repeating: "x", count: 300))
    #expect(screen.cursor?.row == 23)
  }

  @Test func `every command has a unique name and a summary`() throws {
    let keymap = try Screen.keymap()
    let names = PromptCommand.all.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    for command in PromptCommand.all {
      #expect(!command.summary(in: keymap).isEmpty && command.name.allSatisfy { $0.isLowercase || "-!".contains($0) })
    }
  }
}
