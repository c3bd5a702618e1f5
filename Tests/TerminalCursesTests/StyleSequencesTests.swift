import Testing

@testable import TerminalCurses

@Suite struct StyleSequencesTests {
  @Test(arguments: [
    ("", ""), ("a\u{1B}[1mb", "a\u{1B}[1mb"), ("\u{1B}[1m\u{1B}[97m\u{1B}[44ma", "\u{1B}[1;97;44ma"),
    ("\u{1B}[39m\u{1B}(B\u{1B}[ma", "\u{1B}[ma"), ("\u{1B}(B\u{1B}[0;7m\u{1B}[38;5;67mFR", "\u{1B}[;7;38;5;67mFR"),
    ("\u{1B}[31m\u{1B}[0m\u{1B}[32ma", "\u{1B}[;32ma"),
    ("\u{1B}[31m\u{1B}[5;3H\u{1B}[ma", "\u{1B}[31m\u{1B}[5;3H\u{1B}[ma"),
    ("\u{1B}[07m\u{1B}[1ma", "\u{1B}[07;1ma"), ("\u{1B}[4:3m\u{1B}[1ma", "\u{1B}[4:3;1ma"),
    ("\u{1B}[38;2;1;2;3m\u{1B}[48;2;1;2;3m\u{1B}[1;2;3;4m\u{1B}[5;7mé", "\u{1B}[1;2;3;4;5;7;38;2;1;2;3;48;2;1;2;3mé"),
    (
      "\u{1B}[38;2;1;2;3m\u{1B}[48;2;1;2;3m\u{1B}[1;2;3;4m\u{1B}[5;7;8mé",
      "\u{1B}[1;2;3;4;38;2;1;2;3;48;2;1;2;3m\u{1B}[5;7;8mé"
    ),
    // xterm's sequence for modified keys ends as a style does.
    ("\u{1B}[1m\u{1B}[>4;2m\u{1B}[7ma", "\u{1B}[1m\u{1B}[>4;2m\u{1B}[7ma"),
    (
      "\u{1B}[38:2::100:100:100m\u{1B}[48:2::100:100:100m\u{1B}[58:2::100:100:100m\u{1B}[58:2::99:99:99m",
      "\u{1B}[58:2::100:100:100;38:2::100:100:100;48:2::100:100:100m\u{1B}[58:2::99:99:99m"
    ),
    ("\u{1B}[?25l\u{1B}[1m\u{1B}[32m", "\u{1B}[?25l\u{1B}[1;32m"), ("\u{1B}[1", "\u{1B}[1"), ("\u{1B}", "\u{1B}"),
    // A repaint, and a terminal that draws lines with another character set.
    ("\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}[2Ja", "\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}[2Ja"),
    ("\u{1B}[1m\u{1B}[2m\u{1B}(0q\u{1B}(B", "\u{1B}[1m\u{1B}[2m\u{1B}(0q\u{1B}(B"),
  ])
  func `adjacent styles are joined without the parameters that a reset undoes`(sent: String, shortened: String) {
    #expect(String(decoding: StyleSequences.shortened(Array(sent.utf8)), as: UTF8.self) == shortened)
  }

  @Test(arguments: [
    // The background stays, so only the text's colour changes.
    ("^38;5;9;48;5;236ma^38;5;246;48;5;236mb", "^38;5;9;48;5;236ma^38;5;246mb"),
    ("^38;2;1;2;3;48;2;4;5;6ma^39;48;2;4;5;6mb", "^38;2;1;2;3;48;2;4;5;6ma^39mb"),
    ("^38;5;9ma^39;49m^48;5;236mb", "^38;5;9ma^39;48;5;236mb"),
    ("^97;44ma^1;97;44mb^37;44mc", "^97;44ma^1mb^37mc"),
    // A reset also resets colours.
    ("^31ma^;31mb^m^31mc", "^31ma^;31mb^;31mc"), ("^ma^39;49mb", "^mab"), ("^0;1ma^39mb^49;32mc", "^;1mab^32mc"),
    // At first, the terminal's colours are unknown.
    ("^39ma", "^39ma"), ("^38;5;1;48;5;1ma^38;5;1;48;5;1mb", "^38;5;1;48;5;1mab"),
    ("^38:2::1:2:3ma^38:2::1:2:3mb^38:2::1:2:4mc", "^38:2::1:2:3mab^38:2::1:2:4mc"),
  ])
  func `colours that the terminal already has are omitted`(sent: String, shortened: String) {
    let bytes = StyleSequences.shortened(Array(sent.replacing("^", with: "\u{1B}[").utf8))
    #expect(String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[", with: "^") == shortened)
  }
}
