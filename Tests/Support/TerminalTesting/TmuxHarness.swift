import Foundation

/// A program on a terminal that tmux emulates. Tests type into it, look at it, resize it and signal it.
public final class TmuxHarness: Sendable {
  /// The terminal's content.
  public struct Screen: Sendable, CustomStringConvertible {
    /// Its rows, without trailing blanks.
    public let rows: [String]
    /// Whether it is the alternate screen.
    public let isAlternate: Bool
    public let isCursorVisible: Bool
    /// The window's title, which programs can set.
    public let title: String
    /// Whether the program has ended.
    public let hasEnded: Bool
    /// Its exit status, or 128 plus the number of the signal that ended it; nil while it runs, or if unknown.
    public let status: Int?

    public var description: String { rows.joined(separator: "\n") }

    /// Whether `text` is in one of the rows.
    public func contains(_ text: String) -> Bool { rows.contains { $0.contains(text) } }

    /// The lowest row that is not blank.
    public var lastRow: String { rows.last { !$0.isEmpty } ?? "" }

    /// The first row with `text` in it.
    public func row(with text: String) -> Int? { rows.firstIndex { $0.contains(text) } }
  }

  private static let maximumMillisecondsBetweenLooks = 250

  /// The path of tmux; nil if it is not installed.
  public static let executable: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/tmux" }.first { access($0, X_OK) == 0 }
  }()

  private let control: TmuxControl
  private let settings: String
  /// Keeps open the pipe that the program waits for before it starts.
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
  ///   - isAlone: whether it leads its session, without a shell above it. Its exit status is unknown then.
  ///   - environment: the program's whole environment, except for what tmux adds: `TERM`, `TMUX`.
  ///   - directory: where the program starts, and where tmux puts its socket: a short path.
  ///
  /// - Throws: ``HarnessError/missing`` if tmux is not installed.
  public static func start(
    _ command: [String], rows: Int = 24, columns: Int = 80, terminal: String = "xterm-256color",
    isAlone: Bool = false, environment: [String: String], directory: String
  ) async throws -> TmuxHarness {
    guard let executable else { throw HarnessError.missing }
    let settings = "\(directory)/tmux-\(UUID().uuidString.prefix(8))"
    // The window's name changes when the program ends, which is how tmux reports the end.
    let lines = [
      "set -g default-terminal \"\(terminal)\"", "set -g default-shell /bin/sh", "set -g status off",
      "set -g escape-time 0", "set -g remain-on-exit on",
      // Otherwise tmux adds a line when the program has ended, which moves the others up.
      "set -g remain-on-exit-format ''", "set -g automatic-rename on",
      "set -g automatic-rename-format '#{pane_dead}'", "set -g allow-rename off",
      // Programs may use the clipboard, so that tests notice one that lets others' text do so.
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
        // More than one word, so that tmux puts no shell of its own between.
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

  /// Waits for the session: tmux reads commands before it has made it and given it its size and its client.
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

  /// A program that writes before the terminal has its size would lose rows.
  private static let start = #"read -r go < "$0/gate"; rm "$0/gate"; exec "$@""#

  /// tmux sometimes loses how a program ended, so a shell writes it down.
  private static let startWatched = #"""
    read -r go < "$0/gate"; rm "$0/gate"; "$@"; echo $? > "$0/status.new"; mv "$0/status.new" "$0/status"
    """#

  // MARK: Typing

  /// Types text, byte by byte, as it is.
  public func type(_ text: String) async throws {
    let bytes = text.utf8.map { String($0, radix: 16) }.joined(separator: " ")
    _ = try await control.send("send-keys -H \(bytes)")
  }

  /// Presses keys by tmux's names for them: `C-d`, `Escape`, `Enter`, `PageDown`, or a character.
  public func press(_ keys: String...) async throws {
    for key in keys { _ = try await control.send("send-keys -- '\(key)'") }
  }

  /// Pastes text, bracketed if the program asked for that.
  public func paste(_ text: String) async throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(settings)/paste"))
    _ = try await control.send("load-buffer '\(settings)/paste'")
    _ = try await control.send("paste-buffer -p -d")
  }

  // MARK: Looking

  /// The terminal's content now.
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

  /// Returns the terminal's content once `isSo` is true of it.
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

  /// Waits until `text` is on the terminal.
  @discardableResult
  public func wait(for text: String) async throws -> Screen {
    try await wait(for: "“\(text)”") { $0.contains(text) }
  }

  /// Waits until `text` is no longer on the terminal.
  @discardableResult
  public func waitForEnd(of text: String) async throws -> Screen {
    try await wait(for: "the end of “\(text)”") { !$0.contains(text) }
  }

  /// Waits until the program has ended.
  @discardableResult
  public func waitForEnd() async throws -> Screen {
    try await wait(for: "the end of the program") { $0.hasEnded }
    // Its last output may have come between reading the rows and reading that it had ended.
    return try await screen()
  }

  /// What programs have copied to the clipboard; nil if nothing.
  public func clipboard() async throws -> String? {
    let names = try await control.send("list-buffers -F '#{buffer_sample}'")
    return names.isEmpty ? nil : names.joined(separator: "\n")
  }

  // MARK: Actions

  /// Changes the terminal's size.
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

  /// The terminal's path.
  func terminalPath() async throws -> String {
    try await control.send("display-message -p '#{pane_tty}'").joined()
  }

  /// Stops tmux from reporting output. From then on waiting takes longer.
  func mute() async throws {
    _ = try await control.send("refresh-client -f no-output")
  }

  /// The program's process id.
  ///
  /// - Throws: ``HarnessError/ended`` before it runs, and once it has ended.
  public func processID() async throws -> Int32 {
    let leader = try await leader()
    guard let process = isAlone ? leader : ProcessList.children(of: leader).first else { throw HarnessError.ended }
    return process
  }

  /// Sends a signal to the program.
  public func signal(_ number: Int32) async throws {
    kill(try await processID(), number)
  }

  /// Ends the program, whatever runs beside it on the terminal, and tmux. Returns when all of them are gone.
  public func stop() async {
    let leader = try? await leader()
    await control.stop()
    if let leader { await ProcessList.end(session: leader) }
    try? FileManager.default.removeItem(atPath: settings)
  }

  /// The process id of the leader of the terminal's session.
  private func leader() async throws -> Int32 {
    let words = try await control.send("display-message -p '#{pane_pid}'").joined()
    guard let leader = Int32(words) else { throw HarnessError.refused("display-message gave \(words)") }
    return leader
  }
}
