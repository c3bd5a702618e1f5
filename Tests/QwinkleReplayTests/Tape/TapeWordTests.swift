import FoundationEssentials
import Terminal
import Testing

@testable import QwinkleReplay

@Suite struct TapeWordTests {
  @Test(arguments: [
    ("Enter", Key(.enter)), ("Backspace", Key(.backspace)), ("Delete", Key(.delete)), ("Insert", Key(.insert)),
    ("Tab", Key(.tab)), ("Escape", Key(.escape)), ("Space", .character(" ")), ("Up", Key(.up)), ("Down", Key(.down)),
    ("Left", Key(.left)), ("Right", Key(.right)), ("PageUp", Key(.pageUp)), ("PageDown", Key(.pageDown)),
    ("Home", Key(.home)), ("End", Key(.end)), ("F1", Key(.function(1))), ("F12", Key(.function(12))),
    ("Ctrl+C", .control("c")), ("Ctrl+c", .control("c")), ("Ctrl+Shift+c", .control("c")), ("Ctrl+m", Key(.enter)),
    ("Ctrl+I", Key(.tab)), ("Ctrl+H", Key(.backspace)), ("Ctrl+[", Key(.escape)), ("Ctrl+@", .control("@")),
    ("Ctrl+Space", .control("@")), ("Ctrl+\\", .control("\\")), ("Ctrl+/", .control("_")), ("Alt+x", .meta("x")),
    ("Alt+.", .meta(".")), ("Alt+\"+\"", .meta("+")), ("Alt+é", .meta("é")),
    ("Ctrl+Alt+x", Key(.character("x"), [.control, .meta])),
    ("Alt+Ctrl+x", Key(.character("x"), [.control, .meta])), ("Shift+a", .character("A")), ("Shift+A", .character("A")),
    ("Shift+[", .character("{")), ("Shift+ß", .character("ß")), ("Alt+Shift+x", .meta("X")),
    ("Shift+Tab", Key(.tab, .shift)),
    ("Ctrl+Enter", Key(.enter, .control)), ("Alt+Enter", Key(.enter, .meta)),
    ("Ctrl+Alt+Shift+Left", Key(.left, [.control, .meta, .shift])), ("Ctrl+F5", Key(.function(5), .control)),
    ("Ctrl+Alt+Delete", Key(.delete, [.control, .meta])), ("Ctrl + C", .control("c")),
  ])
  func `a key command presses the key that a terminal sends`(text: String, key: Key) throws {
    #expect(try step(text) == .press(TapePress(keys: [key])))
    #expect(try step(text).keys == [key])
  }

  @Test func `keys accept an interval and a count`() throws {
    #expect(try step("Left 3") == .press(TapePress(keys: [Key(.left)], count: 3)))
    #expect(try step("Left@500ms 5") == .press(TapePress(keys: [Key(.left)], count: 5, interval: .milliseconds(500))))
    #expect(try step("Up@.1") == .press(TapePress(keys: [Key(.up)], interval: .milliseconds(100))))
    #expect(try step("Ctrl+C@1 2") == .press(TapePress(keys: [.control("c")], count: 2, interval: .seconds(1))))
    #expect(try step("Ctrl+X+e").keys == [.control("x"), .control("e")])
    #expect(try step("Down 3").keys == [Key(.down), Key(.down), Key(.down)])
    #expect(try step("Down 0").keys == [])
    #expect(try step("ScrollUp") == .scroll(.wheelUp, count: 1, interval: nil))
    #expect(try step("ScrollDown@2s 4") == .scroll(.wheelDown, count: 4, interval: .seconds(2)))
  }

  @Test(arguments: [
    ("Type \"a 'b' `c`\"", "a 'b' `c`"), ("Type 'say \"x\"'", "say \"x\""), ("Type `both \" and '`", "both \" and '"),
    ("Type \"one\" 'two' three", "one two three"), ("Type \"\"", ""), ("Type \"a # b\" # c", "a # b"),
    ("Type glow", "glow"),
    ("Type \"one\"\n\t\"two\"\n", "one two"), ("Type 'x'\n...\n", "x ..."), ("Type \"👩‍👩‍👧 e\u{301}\"", "👩‍👩‍👧 e\u{301}"),
    ("Type $SHELL", "$SHELL"), ("Type\"close\"", "close"), ("Type \"a\\n\"", "a\\n"),
  ])
  func `a text is typed literally`(text: String, typed: String) throws {
    #expect(try step(text) == .type(typed, interval: nil))
  }

  @Test func `a text has one key for each character`() throws {
    #expect(try step("Type \"aB\té\"").keys == [.character("a"), .character("B"), Key(.tab), .character("é")])
    #expect(try step("Type \"e\u{301}👩‍👩‍👧\"").keys == [.character("e\u{301}"), .character("👩‍👩‍👧")])
    #expect(try step("Type@1s \"x\"") == .type("x", interval: .seconds(1)))
    #expect(try step("Paste").keys == [])
  }

  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("2", .seconds(2)), ("1m", .seconds(60)),
    ("0.5", .milliseconds(500)),
    (".5", .milliseconds(500)), ("1.5m", .seconds(90)), ("0.25ms", .microseconds(250)), ("2h", .seconds(7200)),
    ("3d", .seconds(259_200)), ("100 ms", .milliseconds(100)), ("1.", .seconds(1)), ("0", .zero),
    ("0.0000000001", .zero),
    ("366d", .seconds(366 * 86_400)),
  ])
  func `durations have the units of VHS and also hours and days`(text: String, time: Duration) throws {
    #expect(try step("Sleep \(text)") == .sleep(time))
    #expect(try step("Advance \(text)") == .advance(time))
  }

  @Test func `other commands of VHS are parsed`() throws {
    #expect(try step("Wait") == .wait(TapeWait()))
    #expect(try step("Wait+Line") == .wait(TapeWait(scope: .line)))
    #expect(
      try step("Wait+Screen@1m /a b/")
        == .wait(TapeWait(scope: .screen, timeout: .seconds(60), pattern: TapePattern("a b"))))
    #expect(try step("Wait /foo\\/bar/") == .wait(TapeWait(pattern: TapePattern("foo\\/bar"))))
    #expect(try step("Hide") == .hide)
    #expect(try step("Show") == .show)
    #expect(try step("Require git") == .require("git"))
    #expect(try step("Env LANG \"\"") == .environment(name: "LANG", value: ""))
    #expect(try step("Env LANG C.UTF-8") == .environment(name: "LANG", value: "C.UTF-8"))
    #expect(try step("Output \"a b.cast\"") == .output("a b.cast"))
    #expect(try step("Output /tmp/login.svg") == .output("/tmp/login.svg"))
    #expect(try step("Screenshot login.svg") == .screenshot("login.svg"))
    #expect(try step("Copy \"x\" y") == .copy("x y"))
    #expect(try step("Paste") == .paste)
  }

  @Test func `settings with an effect are parsed`() throws {
    #expect(try step("Set TypingSpeed 50ms") == .set(.typingSpeed(.milliseconds(50))))
    #expect(try step("Set WaitTimeout 1m") == .set(.waitTimeout(.seconds(60))))
    #expect(try step("Set WaitPattern /x/") == .set(.waitPattern(TapePattern("x"))))
    #expect(try step("Set WaitPattern \"x\"") == .set(.waitPattern(TapePattern("x"))))
    #expect(try step("Set PlaybackSpeed 0.5") == .set(.playbackSpeed(0.5)))
    #expect(try step("Set Accounts \"nils ann\"") == .set(.accounts(["nils", "ann"])))
    let cell = try #require(CellSize(width: 9, height: 18))
    #expect(try step("Set Background light") == .set(.background(.light)))
    #expect(try step("Set CellSize 9x18") == .set(.cellSize(cell)))
  }

  @Test func `every setting of VHS is parsed and one without effect is noted`() throws {
    let values: [TapeSettingName: String] = [
      .shell: "bash", .fontFamily: "\"Fira Code\"", .theme: "{ \"name\": \"x\" }", .marginFill: "\"#674EFF\"",
      .windowBar: "Rings",
      .cursorBlink: "true", .waitPattern: "/x/", .welcome: "on", .signedIn: "off",
      .accounts: "\"nils ann\"", .cellSize: "8x16", .background: "light",
    ]
    for name in TapeSettingName.allCases {
      let tape = try tape("Enter\n  Set \(name.rawValue) \(values[name] ?? "2")")
      #expect(tape.commands.count == 2)
      guard name.reasonForNoEffect != nil else {
        #expect(tape.notes.isEmpty)
        continue
      }
      let note = try #require(tape.notes.first)
      #expect(note.description.hasPrefix("test.tape:2:3: Set \(name.rawValue) has no effect: "))
    }
    #expect(try tape("Output a.gif\nOutput b.svg\nScreenshot c.png").notes.map(\.place.line) == [1, 3])
  }

  @Test func `commands that VHS lacks are parsed`() throws {
    #expect(try step("Resize 80x24") == .resize(Size(rows: 24, columns: 80)))
    #expect(try step("Mouse press 1 1") == .mouse(MouseEvent(.press, at: .zero)))
    #expect(try step("Mouse wheeldown 3 10") == .mouse(MouseEvent(.wheelDown, at: Point(row: 2, column: 9))))
    #expect(try step("Signal TERM") == .signal(.terminate))
    #expect(try step("Signal SIGHUP") == .signal(.hangup))
    #expect(try step("Expect /^Home$/") == .expect(TapePattern("^Home$"), line: nil))
    #expect(try step("Expect+Line 3 /x/") == .expect(TapePattern("x"), line: 3))
    #expect(try step("Refuse /x/") == .refuse(TapePattern("x")))
    #expect(try step("Snapshot after-login_2") == .snapshot("after-login_2", rows: .content))
    #expect(try step("Snapshot home rows 16-22") == .snapshot("home", rows: .range(16...22)))
    #expect(try step("Snapshot home rows 5") == .snapshot("home", rows: .range(5...5)))
    #expect(try tape("Snapshot home rows 1-2 Snapshot rows\nEnter").commands.count == 3)
    #expect(try step("Counters") == .counters(TapeBounds()))
    #expect(try step("Counters bytes<=300 writes<=1") == .counters(TapeBounds(most: [.bytes: 300, .writes: 1])))
    #expect(try step("Counters cells<=0 rows<=2") == .counters(TapeBounds(most: [.cells: 0, .rows: 2])))
    #expect(try tape("Counters Type \"j\" Counters writes<=1 Enter\nCounters\nEnter").commands.count == 6)
    #expect(try step("Kill") == .kill)
    #expect(try step("Start") == .start(TapeStart()))
    #expect(try step("Start 120x40 fresh") == .start(TapeStart(size: Size(rows: 40, columns: 120), isFresh: true)))
    #expect(try step("Start unseen") == .start(TapeStart(isUnseen: true)))
    #expect(try tape("Kill Start Type \"j\" Kill\nStart fresh\nEnter").commands.count == 6)
    #expect(throws: TapeErrors.self) { try step("Start 120") }
    #expect(try step("Net 429") == .net("429"))
    #expect(try step("Seed 18446744073709551615") == .seed)
    #expect(try step("Serve bob posts \"good\" 'day'") == .serve(TapeServe("bob", .posts("good day", count: 1))))
    #expect(try step("Serve bob posts \"Train\" 45") == .serve(TapeServe("bob", .posts("Train", count: 45))))
    #expect(try step("Serve bob warns Frost \"No basil.\"") == .serve(TapeServe("bob", .warns("Frost", "No basil."))))
    #expect(try step("Serve bob edits /x/ \"y\"") == .serve(TapeServe("bob", .edits(TapePattern("x"), "y"))))
    #expect(try step("Serve bob revokes") == .serve(TapeServe("bob", .revokes)))
    #expect(try step("Serve bob describes hi") == .serve(TapeServe("bob", .describes("hi"))))
    #expect(try step("Serve bob messages hi") == .serve(TapeServe("bob", .messages("hi"))))
    #expect(try step("Serve bob follows") == .serve(TapeServe("bob", .follows)))
    #expect(try step("Serve bob boosts /x/") == .serve(TapeServe("bob", .boosts(TapePattern("x")))))
    #expect(try step("Serve bob favourites /x/") == .serve(TapeServe("bob", .favourites(TapePattern("x")))))
    #expect(try step("Serve bob answers /x/ \"y\"") == .serve(TapeServe("bob", .answers(TapePattern("x"), "y"))))
  }

  @Test(arguments: [
    ("1970-01-01", 0.0), ("2026-01-01", 1_767_225_600), ("2026-01-01T00:00:00Z", 1_767_225_600),
    ("2026-01-01T01:00+01:00", 1_767_225_600), ("2025-12-31T18:30-05:30", 1_767_225_600),
    ("2024-02-29T12:34:56Z", 1_709_210_096),
    ("2026-01-01T00:00", 1_767_225_600), ("2026-01-01T01:00+0100", 1_767_225_600), ("0001-01-01", -62_135_596_800),
  ])
  func `dates and times are ISO 8601`(text: String, seconds: Double) throws {
    #expect(try step("Clock \(text)") == .clock(Date(timeIntervalSince1970: seconds)))
  }

  @Test func `a command has its position and its text`() throws {
    let tape = try tape("\u{FEFF}# first\r\n\r\n  Enter   2  Type \"é\"   \r\nType\r  \"x\"  # y")
    #expect(tape.commands.map(\.place.description) == ["test.tape:3:3", "test.tape:3:14", "test.tape:4:1"])
    #expect(tape.commands.map(\.text) == ["Enter   2", "Type \"é\"", "Type \"x\""])
    #expect(try QwinkleReplayTests.tape("").commands.isEmpty)
    #expect(try QwinkleReplayTests.tape(" \n\t# nothing").commands.isEmpty)
  }
}
