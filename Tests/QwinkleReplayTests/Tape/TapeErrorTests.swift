import QwinkleReplay
import Testing

@Suite struct TapeErrorTests {
  @Test(arguments: [
    // Commands
    ("Enter\n\nEnter Slep 1s", "t:3:7: “Slep” is not a command. Did you mean Sleep?"),
    ("sleep 1s", "t:1:1: “sleep” is not a command. Did you mean Sleep?"),
    ("Esc", "t:1:1: “Esc” is not a command. Did you mean Escape?"),
    ("  Foo", "t:1:3: “Foo” is not a command."),
    ("\"x\"", "t:1:1: “\"” is not a command. A command starts with a word such as Type or Enter."),
    ("Enter @", "t:1:8: @ needs a time: 500ms, 2s, 0.5."),
    ("Tab\r\n\r\n F13", "t:3:2: “F13” is not a command. Did you mean F1?"),
    ("Enter Enter 99999", "t:1:13: “99999” is not a number from 0 to 10000."),
    ("Enter 2.5", "t:1:7: “2.5” is not a number from 0 to 10000."),
    ("Hide 5", "t:1:6: “5” is not a command."), ("é Foo", "t:1:1: “é” is not a command."),
    ("Type \"é\" !", "t:1:10: “!” is not a command. A command starts with a word such as Type or Enter."),
    // Text
    ("Type", "t:1:5: Type needs a text: Type \"hello\"."),
    ("Type Enter", "t:1:6: Type needs a text: Type \"hello\". “Enter” must be in quotes."),
    ("Type 5", "t:1:6: Type needs a text: Type \"hello\". “5” must be in quotes."),
    ("Type # x", "t:1:6: Type needs a text: Type \"hello\"."),
    ("Type \"a\nEnter", "t:1:6: The text has no end. Add \" before the end of the line."),
    ("Type 'a \u{1B}[1m'", "t:1:9: Type can't send a control character. Use its key: Enter, Escape, Ctrl+C."),
    ("Copy\nEnter", "t:1:5: Copy needs a text: Copy \"hello\"."),
    // Times
    ("Sleep", "t:1:6: Sleep needs a time: Sleep 500ms, Sleep 2s, Sleep 0.5."),
    ("Sleep soon", "t:1:7: “soon” is not a time. Sleep needs a time: Sleep 500ms, Sleep 2s, Sleep 0.5."),
    ("Sleep 5x", "t:1:7: “5x” is not a time. Sleep needs a time: Sleep 500ms, Sleep 2s, Sleep 0.5."),
    ("Sleep 1.2.3", "t:1:7: “1.2.3” is not a time. Sleep needs a time: Sleep 500ms, Sleep 2s, Sleep 0.5."),
    ("Sleep .", "t:1:7: “.” is not a time. Sleep needs a time: Sleep 500ms, Sleep 2s, Sleep 0.5."),
    ("Advance 367d", "t:1:9: “367d” is more than 366 days."),
    ("Sleep 99999999999999999999999", "t:1:7: “99999999999999999999999” is more than 366 days."),
    ("Type@ \"x\"", "t:1:7: “” is not a time. @ needs a time: 500ms, 2s, 0.5."),
    // Combinations
    ("Ctrl", "t:1:5: Ctrl needs a key: Ctrl+x, Ctrl+Enter, Ctrl+Alt+Shift+x."),
    ("Ctrl+", "t:1:6: Ctrl needs a key: Ctrl+x, Ctrl+Enter, Ctrl+Alt+Shift+x."),
    ("Ctrl+Shift", "t:1:11: Ctrl needs a key: Ctrl+x, Ctrl+Enter, Ctrl+Alt+Shift+x."),
    ("Ctrl+Entr", "t:1:6: “Entr” is not a key. Did you mean Enter?"),
    ("Ctrl+C+Alt", "t:1:8: Alt must come before the key."),
    ("Ctrl+1+2+3+4+5+6+7+8+9+0+a", "t:1:26: More than 10 keys. Split them into several commands."),
    ("Alt+\"ab\"", "t:1:5: “ab” is not a key. Alt needs a key: Alt+x, Alt+Enter, Ctrl+Alt+Shift+x."),
    // Waiting and patterns
    ("Wait+Word /x/", "t:1:6: After Wait+ comes Line or Screen."),
    ("Wait@0 /x/", "t:1:5: Wait needs a time above 0."),
    ("Wait /x", "t:1:6: The pattern has no end. Add / before the end of the line."),
    ("Expect", "t:1:7: Expect needs a pattern: Expect /Home/."),
    ("Expect \"x\"", "t:1:8: “x” is not a pattern. Expect needs a pattern: Expect /Home/."),
    ("Expect+Row 1 /x/", "t:1:8: After Expect+ comes Line."),
    ("Expect+Line /x/", "t:1:13: Expect+Line needs a line, counted from 1: Expect+Line 1 /Home/."),
    ("Expect+Line 0 /x/", "t:1:13: Expect+Line needs a line, counted from 1: Expect+Line 1 /Home/."),
    // Settings
    ("Set", "t:1:4: Set needs a setting: Set TypingSpeed 50ms."),
    ("Set Fontsize 5", "t:1:5: “Fontsize” is not a setting. Did you mean FontSize?"),
    ("Set FontSize big", "t:1:14: “big” is not a number. Set FontSize needs a number."),
    ("Set Theme { \"a\"", "t:1:11: The theme has no end. Add }."),
    ("Set MarginFill \"#12\"", "t:1:16: “#12” is not a colour. Use six hex digits: \"#674EFF\"."),
    (
      "Set WindowBar Blue",
      "t:1:15: “Blue” is not a window bar. Set WindowBar needs Colorful, ColorfulRight, Rings, RingsRight or \"\"."
    ),
    ("Set CursorBlink yes", "t:1:17: “yes” is neither true nor false."),
    ("Set PlaybackSpeed 0", "t:1:19: “0” is not a speed. It must be above 0 and at most 1000."),
    // Files and environment
    ("Output", "t:1:7: Output needs a file: Output login.cast."),
    ("Output Enter", "t:1:8: Output needs a file: Output login.cast. Enter is a command; quote it to use it as text."),
    ("Output frames", "t:1:8: “frames” has no extension. Output needs one, such as .cast or .svg; a folder ends in /."),
    ("Screenshot x.jpg", "t:1:12: “x.jpg” is not supported. Screenshot needs a file that ends in .svg, .txt or .png."),
    ("Env 1x \"y\"", "t:1:5: “1x” is not a variable name: letters, digits and _."),
    ("Env X", "t:1:6: Env X needs a value: Env X \"value\"."),
    ("Require", "t:1:8: Require needs a program: Require git."),
    ("Source", "t:1:7: Source needs a tape: Source login.tape."),
    // Commands that VHS lacks
    ("Resize 80", "t:1:8: “80” is not a size. Resize needs columns and rows: Resize 80x24."),
    ("Resize 0x24", "t:1:8: “0x24” is not a size. Columns and rows must be from 1 to 1000."),
    (
      "Mouse click 1 1",
      "t:1:7: “click” is not a mouse event. Mouse needs an event (press, drag, release, wheelup, wheeldown), a row and a column: Mouse press 3 10."
    ),
    ("Mouse press 1", "t:1:14: Mouse press needs a column, counted from 1."),
    ("Mouse press 0 1", "t:1:13: Mouse press needs a row and a column, counted from 1."),
    (
      "Signal KILL",
      "t:1:8: “KILL” is not a signal that can be sent. Signals: HUP, INT, QUIT, TERM, TSTP, CONT, WINCH, PIPE, USR1, USR2."
    ),
    (
      "Snapshot ../x",
      "t:1:10: “../x” is not a valid name. Snapshot needs a name of letters, digits, - and _: Snapshot after-login."
    ),
    (
      "Snapshot x rows", "t:1:16: rows needs a row or a range of rows, counted from 1: Snapshot after-login rows 16-22."
    ),
    (
      "Snapshot x rows 22-16",
      "t:1:17: “22-16” is not a row range. rows needs a row or a range of rows, counted from 1: Snapshot after-login rows 16-22."
    ),
    (
      "Snapshot x rows 0-4",
      "t:1:17: “0-4” is not a row range. rows needs a row or a range of rows, counted from 1: Snapshot after-login rows 16-22."
    ),
    (
      "Snapshot x rows 1-2-3",
      "t:1:17: “1-2-3” is not a row range. rows needs a row or a range of rows, counted from 1: Snapshot after-login rows 16-22."
    ),
    (
      "Snapshot x rows Enter",
      "t:1:17: rows needs a row or a range of rows, counted from 1: Snapshot after-login rows 16-22. Enter is a command; quote it to use it as text."
    ),
    ("Snapshot x row 4", "t:1:12: “row” is not a command."),
    (
      "Counters 300",
      "t:1:10: “300” is not a bound. Counters takes bounds of bytes, writes, cells, rows: Counters bytes<=300 writes<=1."
    ),
    (
      "Counters writes<=few",
      "t:1:10: “writes<=few” is not a bound. Counters takes bounds of bytes, writes, cells, rows: Counters bytes<=300 writes<=1."
    ),
    (
      "Counters bytes<=9 byte<=9",
      "t:1:19: “byte” is not a counter. Counters takes bounds of bytes, writes, cells, rows: Counters bytes<=300 writes<=1. Did you mean bytes?"
    ),
    ("Counters bytes<=9 bytes<=8", "t:1:19: bytes already has a bound."),
    ("Clock noon", "t:1:7: “noon” is not a date and time. Clock needs a date and time: Clock 2026-03-01T09:30:00Z."),
    (
      "Clock 2026-02-29",
      "t:1:7: “2026-02-29” is not a date and time. Clock needs a date and time: Clock 2026-03-01T09:30:00Z."
    ),
    ("Seed -1", "t:1:6: “-1” is not a seed. Seed needs a whole number, 0 or greater: Seed 7."),
    ("Serve b@b posts x", "t:1:7: “b@b” is not a user name. It must consist of letters, digits and _."),
    (
      "Serve bob likes /x/",
      "t:1:11: “likes” is not an action of Serve. Actions: posts, warns, shows, veils, messages, follows, boosts, favourites, answers, quotes, edits, describes, revokes."
    ),
    (
      "Serve bob post \"x\"",
      "t:1:11: “post” is not an action of Serve. Actions: posts, warns, shows, veils, messages, follows, boosts, favourites, answers, quotes, edits, describes, revokes. Did you mean posts?"
    ),
    (
      "Serve bob warns \"Frost\"",
      "t:1:24: Serve bob warns needs a warning and a text: \"Frost\" \"The basil is gone.\"."
    ),
    ("Serve bob edits /x/", "t:1:20: Serve bob edits needs a text after the pattern: /hello/ \"hello all\"."),
    ("Set Welcome maybe", "t:1:13: “maybe” is neither. Set Welcome needs on or off."),
    ("Serve bob answers /x/", "t:1:22: Serve bob answers needs a text after the pattern: /hello/ \"hello to you\"."),
  ])
  func `an error is reported with its position`(text: String, fault: String) {
    #expect(faults(of: text) == [fault])
  }

  @Test func `an invalid pattern is reported with its position`() throws {
    let faults = faults(of: "Enter\n  Expect /(/ Enter")
    #expect(faults.count == 1)
    #expect(try #require(faults.first).hasPrefix("t:2:10: “/(/” is not a pattern: "))
  }

  @Test func `all errors are reported up to a limit of twenty`() {
    #expect(faults(of: "Foo\nEnter\nSleep x Bar\nTyp \"x\"").map { $0.prefix(6) } == ["t:1:1:", "t:3:7:", "t:4:1:"])
    #expect(faults(of: String(repeating: "Foo\n", count: 100)).count == TapeErrors.most)
  }

  @Test func `Net accepts only available network faults`() throws {
    let parse = { (text: String) throws(TapeErrors) -> Tape in
      try TapeParser.parse(text, name: "t", faults: ["slow", "off"]) { _ in "" }
    }
    #expect(try parse("Net slow").commands.map(\.step) == [.net("slow")])
    let error = #expect(throws: TapeErrors.self) { try parse("Net fast") }
    #expect(error?.description == "t:1:5: “fast” is not a network condition. Conditions: slow, off.")
  }

  @Test func `an error message contains no control characters`() {
    for text in ["Foo\u{1B}[2J", "\u{1B}[2J", "Set x\u{9B}2J", "Signal \u{7}x", "Output a\u{1B}b.svg"] {
      for fault in faults(of: text) {
        #expect(fault.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
      }
      #expect(!faults(of: text).isEmpty)
    }
  }
}
