import Testing

@testable import TerminalCurses

@Suite struct StyleSequencesTests {
  @Test(arguments: [
    ("", ""), ("a\u{1B}[1mb", "a\u{1B}[1mb"), ("\u{1B}[1m\u{1B}[97m\u{1B}[44ma", "\u{1B}[1;97;44ma"),
    ("\u{1B}[39m\u{1B}(B\u{1B}[ma", "\u{1B}[ma"), ("\u{1B}(B\u{1B}[0;7m\u{1B}[38;5;67mFR", "\u{1B}[;7;38;5;67mFR"),
    ("\u{1B}[31m\u{1B}[0m\u{1B}[32ma", "\u{1B}[;32ma"),
    ("\u{1B}[31m\u{1B}[5;3H\u{1B}[ma", "\u{1B}[31m\u{1B}[5;3H\u{1B}[ma"),
    ("\u{1B}[07m\u{1B}[1ma", "\u{1B}[07;1ma"), ("\u{1B}[4:3m\u{1B}[1ma", "\u{1B}[4:3;1ma"),
    ("\u{1B}[38;2;1;2;3m\u{1B}[48;2;1;2;3m\u{1B}[1;2;3;4m\u{1B}[5;7mé", "\u{1B}[38;2;1;2;3;48;2;1;2;3;1;2;3;4;5;7mé"),
    (
      "\u{1B}[38;2;1;2;3m\u{1B}[48;2;1;2;3m\u{1B}[1;2;3;4m\u{1B}[5;7;8mé",
      "\u{1B}[38;2;1;2;3;48;2;1;2;3;1;2;3;4m\u{1B}[5;7;8mé"
    ),
    // xterm's sequence for modified keys ends as a style does.
    ("\u{1B}[1m\u{1B}[>4;2m\u{1B}[7ma", "\u{1B}[1m\u{1B}[>4;2m\u{1B}[7ma"),
    (
      "\u{1B}[38:2::100:100:100m\u{1B}[48:2::100:100:100m\u{1B}[58:2::100:100:100m\u{1B}[58:2::99:99:99m",
      "\u{1B}[38:2::100:100:100;48:2::100:100:100;58:2::100:100:100m\u{1B}[58:2::99:99:99m"
    ),
    ("\u{1B}[?25l\u{1B}[1m\u{1B}[32m", "\u{1B}[?25l\u{1B}[1;32m"), ("\u{1B}[1", "\u{1B}[1"), ("\u{1B}", "\u{1B}"),
    // A repaint, and a terminal that draws lines with another character set.
    ("\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}[2Ja", "\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}[2Ja"),
    ("\u{1B}[1m\u{1B}[2m\u{1B}(0q\u{1B}(B", "\u{1B}[1m\u{1B}[2m\u{1B}(0q\u{1B}(B"),
  ])
  func `adjacent styles are joined without the parameters that a reset undoes`(sent: String, shortened: String) {
    #expect(String(decoding: StyleSequences.shortened(Array(sent.utf8)), as: UTF8.self) == shortened)
  }
}
