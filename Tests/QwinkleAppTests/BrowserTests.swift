import Foundation
import QwinkleModel
import QwinkleScreens
import TerminalTesting
import Testing

@testable import QwinkleApp

@MainActor
@Suite(.bounded) struct BrowserTests {
  @Test func `the environment determines which browsers are tried in order`() {
    func commands(_ environment: [String: String]) -> [[String]] { SystemBrowser.commands(in: environment) }
    #expect(commands([:]) == [])
    #expect(commands(["DISPLAY": ""]) == [])
    #expect(commands(["DISPLAY": ":0"]) == [["xdg-open"]])
    #expect(commands(["WAYLAND_DISPLAY": "wayland-0"]) == [["xdg-open"]])
    #expect(
      commands(["BROWSER": "firefox --new-window:w3m", "DISPLAY": ":0"])
        == [["firefox", "--new-window"], ["w3m"], ["xdg-open"]])
    #expect(commands(["BROWSER": " : "]) == [])
  }

  @Test func `an address is one argument in the place that the command names`() {
    let url = "https://example.org/?a=$(id)&b='x'"
    #expect(SystemBrowser.arguments(of: ["firefox", "--new-tab"], for: url) == ["firefox", "--new-tab", url])
    #expect(SystemBrowser.arguments(of: ["show", "--url=%s", "-q"], for: url) == ["show", "--url=\(url)", "-q"])
  }

  @Test func `a missing browser is reported`() throws {
    let address = try #require(WebAddress("https://example.org"))
    #expect(throws: URLOpenerError.cannotStart(.browser, "/no/such/browser")) {
      try SystemBrowser(environment: ["BROWSER": "/no/such/browser"]).open(address, in: .browser)
    }
    #expect(throws: URLOpenerError.noBrowser) { try SystemBrowser(environment: [:]).open(address, in: .browser) }
  }

  @Test func `a picture opens in the viewer or in the browser if no viewer is set`() throws {
    let address = try #require(WebAddress("https://example.org/1.png"))
    let programs = SystemBrowser(environment: [:], chosen: "/no/such/browser")
    programs.viewer = "/no/such/viewer --fit"
    let (noViewer, noBrowser) = (
      URLOpenerError.cannotStart(.viewer, "/no/such/viewer"), URLOpenerError.cannotStart(.browser, "/no/such/browser")
    )
    #expect(throws: noViewer) { try programs.open(address, in: .viewer) }
    #expect(throws: noBrowser) { try programs.open(address, in: .browser) }
    programs.viewer = ""
    #expect(throws: noBrowser) { try programs.open(address, in: .viewer) }
  }

  @Test func `the address of a video is the player's argument and never part of a shell script`() throws {
    let plain = try #require(PlayerCommand("mpv --no-terminal"))
    #expect(plain.words == ["mpv", "--no-terminal"] && !plain.isDetached)
    #expect(plain.script == #"exec 'mpv' '--no-terminal' ''"$1"''"#)
    let placed = try #require(PlayerCommand("play --url=%s -q"))
    #expect(placed.script == #"exec 'play' '--url='"$1"'' '-q'"#)
    let quoted = try #require(PlayerCommand("it's;id $HOME"))
    #expect(quoted.script == #"exec 'it'\''s;id' '$HOME' ''"$1"''"#)
    for (text, words) in [("mpv &", ["mpv"]), ("mpv --loop&", ["mpv", "--loop"])] {
      let command = try #require(PlayerCommand(text))
      #expect(command.words == words && command.isDetached)
    }
    for text in ["", " ", "&", " & "] { #expect(PlayerCommand(text) == nil) }
  }

  @Test func `a player gets the terminal unless its command ends with an ampersand`() throws {
    let address = try #require(WebAddress("https://example.org/1.mp4"))
    let programs = SystemBrowser(environment: [:], chosen: "/no/such/browser")
    programs.viewer = "/no/such/viewer"
    var played: [String] = []
    programs.playInTerminal = { address, command in
      played.append("\(command.words[0]) \(address)")
      return command.words[0] != "broken"
    }
    programs.player = "mpv"
    try programs.open(address, in: .player)
    #expect(played == ["mpv https://example.org/1.mp4"])
    programs.player = "broken"
    #expect(throws: URLOpenerError.cannotStart(.player, "broken")) { try programs.open(address, in: .player) }
    programs.player = "/no/such/player &"
    #expect(throws: URLOpenerError.cannotStart(.player, "/no/such/player")) {
      try programs.open(address, in: .player)
    }
    #expect(played.count == 2)
    programs.player = ""
    #expect(throws: URLOpenerError.cannotStart(.viewer, "/no/such/viewer")) {
      try programs.open(address, in: .player)
    }
  }

  @Test func `a player's failure is reported and a signal isn't a failure`() throws {
    let command = try #require(PlayerCommand("mpv"))
    #expect(OutsidePlayer.sentence(0, of: command) == nil)
    #expect(OutsidePlayer.sentence(127, of: command) == URLOpenerError.cannotStart(.player, "mpv").sentence)
    #expect(OutsidePlayer.sentence(2, of: command) == "“mpv” exited with status 2.")
    #expect(OutsidePlayer.sentence(130, of: command) == nil)
  }

  @Test func `a browser inherits nothing from the program except the address`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qw-browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "said").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let browser = folder.appending(path: "browser").path
    // List the shell's descriptors before it opens the pipe.
    let script = """
      #!/bin/sh
      open=$(cd /proc/$$/fd && for f in *; do printf '%s=%s ' "$f" "$(readlink "$f")"; done)
      session=$(cut -d' ' -f6,7 /proc/$$/stat)
      ignored=$(grep SigIgn /proc/$$/status | tr -s '\\t' ' ')
      { printf '%s\\n' "$#" "$@" "$open" "$$ $session" "$PPID" "$ignored"; } > '\(pipe)'
      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: browser))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)

    // The browser must not inherit these descriptors and ignored signals.
    signal(SIGPIPE, SIG_IGN)
    let secret = open("/etc/hostname", O_RDONLY | O_CLOEXEC)
    defer { close(secret) }
    let reader = try ChildProcess(["/bin/cat", pipe], environment: ["PATH": "/bin"], directory: folder.path)
    let url = "https://example.org/?a=$(touch%20x)&b='x';exit"
    try SystemBrowser(environment: ["BROWSER": browser]).open(try #require(WebAddress(url)), in: .browser)
    let lines = try await reader.outcome().text.split(separator: "\n").map(String.init)

    try #require(lines.count == 6, "\(lines)")
    #expect(lines[0] == "1" && lines[1] == url)
    let descriptors = lines[2].split(separator: " ").map(String.init)
    for standard in 0...2 { #expect(descriptors.contains("\(standard)=/dev/null"), "\(descriptors)") }
    #expect(
      !descriptors.contains { $0.contains("/etc/hostname") || $0.contains("/dev/tty") || $0.contains("socket") },
      "\(descriptors)")
    let ids = lines[3].split(separator: " ").compactMap { Int32($0) }
    // Another session without a terminal.
    #expect(ids.count == 3 && ids[1] != getsid(0) && ids[2] == 0, "\(ids)")
    #expect(lines[4] != "\(getpid())")
    let ignored = lines[5].split(separator: " ").last.flatMap { UInt64($0, radix: 16) }
    #expect(ignored.map { $0 & (1 << (UInt64(SIGPIPE) - 1)) } == 0, "\(lines[5])")
  }
}
