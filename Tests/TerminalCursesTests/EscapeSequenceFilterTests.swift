import TerminalTesting
import Testing

@testable import TerminalCurses

/// Only listed escape sequences reach a terminal.
@Suite(.bounded) struct EscapeSequenceFilterTests {
  private static let all: EscapeSequenceFilter.Allowance = [
    .title, .clipboard, .queries, .attention, .pictures, .inlinePictures, .links,
  ]

  private func passing(
    _ text: String, allowing allowance: EscapeSequenceFilter.Allowance = []
  ) -> (text: String, refused: Int) {
    var filter = EscapeSequenceFilter()
    let bytes = filter.passing(Array(text.utf8), allowing: allowance)
    return (String(decoding: bytes, as: UTF8.self), filter.refused)
  }

  @Test(arguments: [
    "plain text, é, 日本, 🦊, e\u{301}, 葛\u{E0100}", "\r\n\u{8}", "\u{1B}[H\u{1B}[2J", "\u{1B}[12;40H\u{1B}[1;31m",
    "\u{1B}[38;5;240m",
    "\u{1B}[38:2::1:2:3m", "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004l", "\u{1B}(B\u{1B})0", "\u{1B}7\u{1B}8\u{1B}M\u{1B}=",
    "\u{1B}]R", "\u{1B}]104\u{7}", "\u{1B}[?0c", "\u{1B}[S\u{1B}[2;10r",
  ])
  func `sequences of terminal descriptions pass unchanged`(text: String) {
    #expect(passing(text) == (text, 0))
  }

  @Test(arguments: [
    ("a\u{7}b", "ab"), ("a\u{1B}]0;title\u{7}b", "ab"), ("a\u{1B}]52;c;aGk=\u{1B}\\b", "ab"), ("a\u{9B}31mb", "a31mb"),
    ("a\u{1B}Pq#0\u{1B}\\b", "aq#0b"), ("a\u{202E}b", "ab"), ("a\u{2066}b\u{2069}", "ab"), ("a\u{E0041}b", "ab"),
    ("a\u{1B}cb", "ab"), ("a\u{1B}[?9999hb", "ab"), ("a\u{1B}[>4;2mb", "ab"), ("a\u{1B}[21tb", "ab"),
    ("a\u{1B}[6nb", "ab"), ("a\u{1B}[?2026$pb", "ab"), ("a\u{1B}[22;2tb", "ab"), ("a\u{1B}]2;title\u{1B}\\b", "ab"),
    ("a\u{1B}]0;never ended", "a"), ("a\u{1B}", "a"), ("a\u{1B}[", "a"), ("a\u{85}b", "ab"),
    ("a\u{7F}b", "ab"), ("a\u{100000}\u{10FFFD}b", "ab"),
  ])
  func `sequences that control the terminal are removed`(text: String, rest: String) {
    // The rest of a sequence without its start is text.
    #expect(passing(text).text.replacing("\\", with: "") == rest)
    #expect(passing(text).refused > 0)
  }

  @Test func `scrolling by several lines becomes single line feeds`() {
    #expect(
      passing("\u{1B}[10;1H\u{1B}[3Sa\u{1B}[2;1H\u{1B}[2Tb").text == "\u{1B}[10;1H\n\n\na\u{1B}[2;1H\u{1B}M\u{1B}Mb")
    for strange in ["\u{1B}[99999999999999999999S", "\u{1B}[0T", "\u{1B}[1;2S"] {
      #expect(passing(strange).text == strange)
    }
  }

  @Test func `invalid UTF-8 is removed`() {
    var filter = EscapeSequenceFilter()
    let bytes = filter.passing([0x61, 0xFF, 0xC3, 0x62, 0xE6, 0x97, 0xED, 0xA0, 0x80, 0x63])
    #expect(bytes == Array("abc".utf8))
  }

  @Test(arguments: [
    ("\u{1B}]2;Qwinkle · é 日 🦊\u{1B}\\", EscapeSequenceFilter.Allowance.title),
    ("\u{1B}[22;2t\u{1B}[23;2t", .title), ("\u{1B}]52;c;aGk+/w==\u{1B}\\", .clipboard),
    ("\u{7}", .attention), ("\u{1B}]9;Qwinkle: @bob wrote\u{1B}\\", .attention),
    ("\u{1B}]777;notify;Qwinkle;@bob wrote\u{1B}\\", .attention),
    ("\u{1B}7\u{1B}[2;1H\u{1B}[?2026$p─\u{1B}[6n\u{1B}8", .queries),
    ("\u{1B}P0;1;0q\"1;1;8;12#0;2;0;50;100#0~~!5?@$#1!8F-!8~\u{1B}\\", .inlinePictures),
    (
      "\u{1B}]1337;File=inline=1;size=4;width=3;height=2;preserveAspectRatio=0;doNotMoveCursor=1:AQIDBA==\u{1B}\\",
      .inlinePictures
    ),
    ("\u{1B}[c\u{1B}[16t\u{1B}[14t\u{1B}]11;?\u{1B}\\", .queries),
    ("\u{1B}[>q", .queries), ("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", .queries),
    ("\u{1B}_Ga=T,U=1,f=100,i=16777217,c=3,r=2,q=2,m=1;iVBOR/w+\u{1B}\\\u{1B}_Gm=0,q=2;AA==\u{1B}\\", .pictures),
    ("\u{1B}_Ga=d,d=I,i=16777217,q=2\u{1B}\\", .pictures),
  ])
  func `titles, copies, alerts and queries pass only if allowed`(
    text: String, allowance: EscapeSequenceFilter.Allowance
  ) {
    #expect(passing(text, allowing: allowance) == (text, 0))
    #expect(passing(text).refused > 0)
    let others = Self.all.subtracting(allowance)
    #expect(passing(text, allowing: others).refused > 0)
  }

  @Test(arguments: [
    "\u{1B}]2;a\u{202E}b\u{7}", "\u{1B}]2;a\u{9C}b\u{7}", "\u{1B}]2;a\nb\u{7}", "\u{1B}]0;a\u{7}", "\u{1B}]52;c;?\u{7}",
    "\u{1B}]52;c;aGk=;x\u{7}", "\u{1B}]2;never ended", "\u{1B}]2;cut by\u{1B}[H", "\u{1B}[21t", "\u{1B}[5n",
    "\u{1B}]9;4;1;50\u{1B}\\",
    "\u{1B}_Ga=T,U=1,f=100,i=1,c=3,r=2,q=2,m=0,t=f;L2V0Yy9wYXNzd2Q=\u{1B}\\", "\u{1B}_Ga=d,d=A,q=2\u{1B}\\",
    "\u{1B}_Ga=T,U=1,f=100,i=x,c=3,r=2,q=2,m=0;AA\u{1B}\\", "\u{1B}_Gm=0,q=2;never ended",
    "\u{1B}_Gm=0,q=2;a b\u{1B}\\",
    // Sixels that exceed the declared size, and other device control strings.
    "\u{1B}P0;1;0q\"1;1;8;6!9~\u{1B}\\", "\u{1B}P0;1;0q\"1;1;8;6-~\u{1B}\\",
    "\u{1B}P0;1;0q\"1;1;8;6#1;1;0;50;100~\u{1B}\\",
    "\u{1B}P0;1;0q\"1;1;8;6#256~\u{1B}\\", "\u{1B}P0;1;0q\"1;1;1001;6~\u{1B}\\",
    "\u{1B}P0;1;0q\"1;1;8;0~\u{1B}\\",
    "\u{1B}P0;1;0q~\u{1B}\\", "\u{1B}P0;1;0q\"1;1;8;6~ ~\u{1B}\\",
    "\u{1B}P0;1;0q\"1;1;8;6~", "\u{1B}P0;1;0q\"1;1;8;6~\u{7}",
    "\u{1B}P$qm\u{1B}\\", "\u{1B}P+q544e\u{1B}\\", "\u{1B}Ptmux;\u{1B}\\",
    // Files that aren't inline pictures, or whose size is wrong.
    "\u{1B}]1337;File=inline=0;size=4;width=3;height=2;preserveAspectRatio=0;doNotMoveCursor=1:AQIDBA==\u{1B}\\",
    "\u{1B}]1337;File=inline=1;size=9;width=3;height=2;preserveAspectRatio=0;doNotMoveCursor=1:AQIDBA==\u{1B}\\",
    "\u{1B}]1337;File=inline=1;size=4;width=3;height=900;preserveAspectRatio=0;doNotMoveCursor=1:AQIDBA==\u{1B}\\",
    "\u{1B}]1337;File=name=YQ==;inline=1;size=4;width=3;height=2;preserveAspectRatio=0:AQIDBA==\u{7}",
    "\u{1B}]1337;RunScript=x\u{7}", "\u{1B}]1337;CopyToClipboard=\u{7}",
    "\u{1B}_tmux\u{1B}\\", "\u{1B}_Gm=0,q=2;AA\u{7}", "\u{1B}]777;run;true\u{1B}\\", "\u{1B}]9;a\u{202E}b\u{7}",
  ])
  func `malformed and unlisted sequences are refused with everything allowed`(text: String) {
    #expect(passing(text, allowing: Self.all).refused > 0)
  }
}
