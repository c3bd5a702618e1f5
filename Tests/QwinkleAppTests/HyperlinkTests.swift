import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Printed addresses are hyperlinks on terminals that support them, and nowhere else.
@Suite(.bounded) struct HyperlinkTests {
  private static func link(_ target: String, _ shown: String) -> String {
    "\u{1B}]8;;\(target)\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\"
  }

  @Test(arguments: [
    ("see https://example.org/kiosk, and", "see ", "https://example.org/kiosk", ", and"),
    ("(https://example.org/a_(b))", "(", "https://example.org/a_(b)", ")"),
    ("“http://example.org?”\nx", "“", "http://example.org", "?”\nx"),
    ("[https://example.org/x]", "[", "https://example.org/x", "]"),
  ])
  func `an address is linked without the surrounding text`(
    text: String, before: String, address: String, behind: String
  ) {
    #expect(TerminalHyperlinks.added(to: text) == before + Self.link(address, address) + behind)
  }

  @Test func `a link's target is the shown address in printable ASCII`() {
    #expect(
      TerminalHyperlinks.added(to: "https://bücher.example/ä https://f.example")
        == Self.link("https://xn--bcher-kva.example/%C3%A4", "https://bücher.example/ä") + " "
        + Self.link("https://f.example", "https://f.example"))
  }

  @Test(arguments: [
    "example.org", "://", "https://", "https:///x", "ftp://example.org", "https://example.org/very/lo…",
    "https://☃.net/",
    "https://bank.example@evil.example/", "https://evil.example\\@bank.example/", "javascript:alert(1)",
    "https://example.org/" + String(repeating: "a", count: 2083),
  ])
  func `a truncated, misleading, overlong or invalid address is not linked`(text: String) {
    #expect(TerminalHyperlinks.added(to: text) == text)
  }

  @Test func `old terminals receive no hyperlinks`() {
    for name in ["xterm-256color", "xterm-kitty", "tmux-256color", "vte-256color", "foot"] {
      #expect(TerminalHyperlinks.areKnown(to: name), "\(name)")
    }
    for name in [nil, "", "dumb", "linux", "vt100", "vt220", "cons25"] {
      #expect(!TerminalHyperlinks.areKnown(to: name), "\(name ?? "nil")")
    }
  }

  @Test func `a timeline has links unless the terminal is dumb or the output is JSON`() async throws {
    let content = "<p>Read https://example.org/ä or <a href='https://evil.example/x'>https://bank.example</a> now</p>"
    try await withTimeline(Answers.page(Answers.status("1", content))) { server in
      try await Program.inNewHome { program in
        func printed(_ terminal: String, _ options: String...) async throws -> String {
          try await Self.output(
            of: program.with(["TERM": terminal]), ["timeline", "public", "--server", server.url] + options)
        }
        let text = try await printed("xterm-256color")
        #expect(text.contains(Self.link("https://example.org/%C3%A4", "https://example.org/ä") + " or "), "\(text)")
        #expect(text.contains(Self.link("https://bank.example", "https://bank.example") + " [evil.example] now"))
        #expect(text.contains("→ " + Self.link("https://evil.example/x", "https://evil.example/x")))
        let dumb = try await printed("dumb")
        #expect(!dumb.contains("\u{1B}") && dumb.contains("https://bank.example [evil.example] now"))
        let json = try await printed("xterm-256color", "--json")
        #expect(!json.contains("\u{1B}") && json.contains("evil.example"))
      }
    }
  }

  /// Returns the output of `program` with a terminal as its standard output.
  private static func output(of program: Program, _ arguments: [String]) async throws -> String {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(master >= 0)
    defer { close(master) }
    var isLocked: Int32 = 0
    var number: Int32 = 0
    // TIOCSPTLCK and TIOCGPTN, which Swift doesn't import.
    try #require(ioctl(master, 0x4004_5431, &isLocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    let name = "/dev/pts/\(number)"
    // Keep the terminal open here too. Otherwise output is lost when the program ends.
    let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    defer { close(terminal) }
    let command = ["/bin/sh", "-c", #"exec "$@" > "$0""#, name, Program.path] + arguments
    let outcome = try await ChildProcess.run(command, environment: program.environment, directory: program.home)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    // Marks the end of the output: bytes arrive in order.
    _ = "\u{4}".withCString { write(terminal, $0, strlen($0)) }
    var bytes: [UInt8] = []
    while !bytes.contains(4) {
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard poll(&waiting, 1, 10_000) > 0 else { break }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes.prefix { $0 != 4 }, as: UTF8.self)
  }
}
