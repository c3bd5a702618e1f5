import Foundation

/// A program on a terminal that tmux emulates. Tests type into it, read its screen, resize it and send signals.
public final class TmuxHarness: Sendable {
  /// The terminal's content.
  public struct Screen: Sendable, CustomStringConvertible {
    /// The rows without trailing blanks.
    public let rows: [String]
    /// Whether the alternate screen is shown.
    public let isAlternate: Bool
    public let isCursorVisible: Bool
    /// The window's title, which programs can set.
    public let title: String
    /// Whether the program has ended.
    public let hasEnded: Bool
    /// The exit status, or 128 plus the number of the signal that ended the program; nil while it runs, or if unknown.
    public let status: Int?

    public var description: String { rows.joined(separator: "\n") }

    /// Returns whether any row contains `text`.
    public func contains(_ text: String) -> Bool { rows.contains { $0.contains(text) } }

    /// The last row that is not blank.
    public var lastRow: String { rows.last { !$0.isEmpty } ?? "" }

    /// Returns the first row that contains `text`.
    public func row(with text: String) -> Int? { rows.firstIndex { $0.contains(text) } }
  }

  private static let maximumMillisecondsBetweenLooks = 250

  /// The path of tmux, if installed.
  public static let executable: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/tmux" }.first { access($0, X_OK) == 0 }
  }()

  private let control: TmuxControl
  private let settings: String
  /// Keeps the pipe open from which the program reads before it starts.
  private let gate: FileHandle
  private let isAlone: Bool

  private init(control: TmuxControl, settings: String, gate: FileHandle, isAlone: Bool) {
    self.control = control
    self.settings = settings
    self.gate = gate
    self.isAlone = isAlone
  }

  /// Starts `command` on a terminal of this size and type.
  ///
  /// - Parameters:
  ///   - isAlone: Whether the program leads its session, without a shell as parent. Its exit status is unknown then.
  ///   - environment: The program's whole environment, except `TERM` and `TMUX`, which tmux adds.
  ///   - directory: The program's working directory and the directory of tmux's socket. Its path must be short.
  ///
  /// - Throws: ``HarnessError/missing`` if tmux is not installed.
  public static func start(
    _ command: [String], rows: Int = 24, columns: Int = 80, terminal: String = "xterm-256color",
    isAlone: Bool = false, environment: [String: String], directory: String
  ) async throws -> TmuxHarness {
    guard let executable else { throw HarnessError.missing }
    let settings = "\(directory)/tmux-\(UUID().uuidString.prefix(8))"
    // The window's name changes when the program ends. That is how tmux reports it.
    let lines = [
      "set -g default-terminal \"\(terminal)\"", "set -g default-shell /bin/sh", "set -g status off",
      "set -g escape-time 0", "set -g remain-on-exit on",
      // Otherwise tmux adds a line at the program's end, which scrolls the screen.
      "set -g remain-on-exit-format ''", "set -g automatic-rename on",
      "set -g automatic-rename-format '#{pane_dead}'", "set -g allow-rename off",
      // Programs may use the clipboard, so that tests detect a program that forwards escape sequences from untrusted
      // text.
      "set -g set-clipboard on",
    ]
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: "\(settings)/conf"))
    guard mkfifo("\(settings)/gate", 0o600) == 0 else { throw HarnessError.refused("no gate, error \(errno)") }
    let gate = FileHandle(
      fileDescriptor: open("\(settings)/gate", O_RDWR | O_CLOEXEC), closeOnDealloc: true)
    var environment = environment
    environment["TMUX_TMPDIR"] = settings
    let control = try TmuxControl(
      executable: executable,
      arguments: [
        "-u", "-L", "s", "-f", "\(settings)/conf", "-C", "new-session", "-x", "\(columns)", "-y", "\(rows)", "--",
        // More than one argument, so that tmux does not start a shell in between.
        "/usr/bin/env", "-u", "TMUX_TMPDIR",
        "/bin/sh", "-c", isAlone ? Self.start : Self.startWatched, settings,
      ] + command,
      environment: environment, directory: directory)
    try await wait(for: "\(columns)x\(rows) 1", control)
    // If the tests are killed, tmux and the program end too.
    _ = try await control.send("set -g destroy-unattached on")
    try gate.write(contentsOf: Data("go\n".utf8))
    return TmuxHarness(control: control, settings: settings, gate: gate, isAlone: isAlone)
  }

  /// Waits for the session. tmux reads commands before the session exists and has its size and client.
  private static func wait(for shape: String, _ control: TmuxControl) async throws {
    let deadline = Deadline()
    while true {
      let seen = control.changes
      do {
        let format = "'#{window_width}x#{window_height} #{session_attached}'"
        if try await control.send("display-message -p \(format)").joined() == shape { return }
      } catch HarnessError.refused {
        // There is no session yet.
      }
      try deadline.check("a session of tmux")
      await control.change(after: seen, atMost: 50)
    }
  }

  /// Waits for the gate, as a program that writes before the terminal has its size would lose rows.
  private static let start = #"read -r go < "$0/gate"; rm "$0/gate"; exec "$@""#

  /// Saves the exit status to a file, as tmux sometimes loses it.
  private static let startWatched = #"""
    read -r go < "$0/gate"; rm "$0/gate"; "$@"; echo $? > "$0/status.new"; mv "$0/status.new" "$0/status"
    """#

  // MARK: Typing

  /// Types text byte by byte, unchanged.
  public func type(_ text: String) async throws {
    let bytes = text.utf8.map { String($0, radix: 16) }.joined(separator: " ")
    _ = try await control.send("send-keys -H \(bytes)")
  }

  /// Presses keys by tmux's names for them: `C-d`, `Escape`, `Enter`, `PageDown`, or a character.
  public func press(_ keys: String...) async throws {
    for key in keys { _ = try await control.send("send-keys -- '\(key)'") }
  }

  /// Pastes text, bracketed if the program enabled that.
  public func paste(_ text: String) async throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(settings)/paste"))
    _ = try await control.send("load-buffer '\(settings)/paste'")
    _ = try await control.send("paste-buffer -p -d")
  }

  // MARK: Searching

  /// Returns the terminal's current content.
  public func screen() async throws -> Screen {
    let rows = try await control.send("capture-pane -p")
    let format = "#{alternate_on}|#{cursor_flag}|#{pane_dead}|#{pane_title}"
    let words = try await control.send("display-message -p '\(format)'").joined()
      .split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4 else { throw HarnessError.refused("display-message gave \(words)") }
    let status = FileManager.default.contents(atPath: "\(settings)/status")
      .flatMap { Int(String(decoding: $0, as: UTF8.self).prefix { $0.isNumber }) }
    return Screen(
      rows: rows, isAlternate: words[0] == "1", isCursorVisible: words[1] == "1", title: String(words[3]),
      hasEnded: words[2] == "1" || status != nil, status: status)
  }

  /// Waits until `isSo` accepts the terminal's content, and returns it.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``.
  @discardableResult
  public func wait(for what: String, until isSo: (Screen) -> Bool) async throws -> Screen {
    let deadline = Deadline()
    while true {
      let seen = control.changes
      let screen = try await screen()
      if isSo(screen) { return screen }
      try deadline.check(what) { screen.description }
      await control.change(after: seen, atMost: Self.maximumMillisecondsBetweenLooks)
    }
  }

  /// Waits until `text` is visible.
  @discardableResult
  public func wait(for text: String) async throws -> Screen {
    try await wait(for: "“\(text)”") { $0.contains(text) }
  }

  /// Waits until `text` is no longer visible.
  @discardableResult
  public func waitForEnd(of text: String) async throws -> Screen {
    try await wait(for: "the end of “\(text)”") { !$0.contains(text) }
  }

  @discardableResult
  public func waitForEnd() async throws -> Screen {
    try await wait(for: "the end of the program") { $0.hasEnded }
    // The last output may have arrived between reading the rows and reading that the program had ended.
    return try await screen()
  }

  /// Returns the clipboard's content, if any.
  public func clipboard() async throws -> String? {
    let names = try await control.send("list-buffers -F '#{buffer_sample}'")
    return names.isEmpty ? nil : names.joined(separator: "\n")
  }

  // MARK: Actions

  public func resize(rows: Int, columns: Int) async throws {
    _ = try await control.send("resize-window -x \(columns) -y \(rows)")
  }

  /// Writes to the terminal as an unrelated program would.
  public func disturb(_ bytes: String) async throws {
    let path = try await terminalPath()
    let terminal = open(path, O_WRONLY | O_NOCTTY)
    guard terminal >= 0 else { throw HarnessError.ended }
    defer { close(terminal) }
    let bytes = Array(bytes.utf8)
    guard write(terminal, bytes, bytes.count) == bytes.count else { throw HarnessError.ended }
  }

  func terminalPath() async throws -> String {
    try await control.send("display-message -p '#{pane_tty}'").joined()
  }

  /// Stops tmux from reporting output. Waiting takes longer afterwards.
  func mute() async throws {
    _ = try await control.send("refresh-client -f no-output")
  }

  /// Returns the program's process id.
  ///
  /// - Throws: ``HarnessError/ended`` if the program does not run.
  public func processID() async throws -> Int32 {
    let leader = try await leader()
    guard let process = isAlone ? leader : ProcessList.children(of: leader).first else { throw HarnessError.ended }
    return process
  }

  /// Sends a signal to the program.
  public func signal(_ number: Int32) async throws {
    kill(try await processID(), number)
  }

  /// Stops the program, all other processes on the terminal, and tmux. Returns once they have exited.
  public func stop() async {
    let leader = try? await leader()
    await control.stop()
    if let leader { await ProcessList.end(session: leader) }
    try? FileManager.default.removeItem(atPath: settings)
  }

  /// Returns the process id of the session leader.
  private func leader() async throws -> Int32 {
    let words = try await control.send("display-message -p '#{pane_pid}'").joined()
    guard let leader = Int32(words) else { throw HarnessError.refused("display-message gave \(words)") }
    return leader
  }
}
