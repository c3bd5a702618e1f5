import Foundation

/// Information about processes from the system.
public enum ProcessList {
  /// Returns the peak resident memory of a running process in bytes, if known. Unlike the value of `getrusage`, it
  /// excludes the time before `exec`.
  public static func peakMemory(of process: Int32) -> Int? { memory("VmHWM:", of: process) }

  /// Returns the resident memory of a running process in bytes, if known.
  public static func memory(of process: Int32) -> Int? { memory("VmRSS:", of: process) }

  private static func memory(_ name: String, of process: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return kilobytes * 1024
  }

  /// Returns the arguments and the environment of a process, which other users may see.
  public static func visibleWords(of process: Int32) -> String {
    ["cmdline", "environ"].map { name in
      String(decoding: FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data(), as: UTF8.self)
    }.joined(separator: "\0")
  }

  /// Whether a process runs or is stopped. A zombie doesn't count.
  public static func isRunning(_ process: Int32) -> Bool {
    all.contains { $0.process == process && $0.state != "Z" }
  }

  /// Returns the children of `process`.
  public static func children(of process: Int32) -> [Int32] {
    all.filter { $0.parent == process }.map(\.process)
  }

  /// Returns when a process has ended.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``.
  public static func waitForEnd(of process: Int32, meanwhile: () -> Void = {}) async throws {
    let deadline = Deadline()
    while isRunning(process) {
      meanwhile()
      try deadline.check("the end of process \(process)")
      await pause(milliseconds: 10)
    }
  }

  /// Returns when a process is stopped, as by ^Z.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``.
  public static func waitForStop(of process: Int32) async throws {
    let deadline = Deadline()
    while !all.contains(where: { $0.process == process && $0.state == "T" }) {
      try deadline.check("a stop of process \(process)")
      await pause(milliseconds: 10)
    }
  }

  /// Waits until `process` has a child and returns the first one.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``.
  public static func waitForChild(of process: Int32) async throws -> Int32 {
    let deadline = Deadline()
    while true {
      if let child = children(of: process).first { return child }
      try deadline.check("a child of process \(process)")
      await pause(milliseconds: 10)
    }
  }

  /// Kills the remaining processes in the session of `leader` and waits until they have exited.
  static func end(session leader: Int32) async {
    for _ in 0..<200 {
      let left = all.filter { $0.session == leader && $0.state != "Z" }
      if left.isEmpty { return }
      for entry in left { kill(entry.process, SIGKILL) }
      await pause(milliseconds: 10)
    }
  }

  private static var all: [(process: Int32, state: Substring, parent: Int32, session: Int32)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { name in
      guard let process = Int32(name),
        let stat = FileManager.default.contents(atPath: "/proc/\(name)/stat").map({
          String(decoding: $0, as: UTF8.self)
        }),
        // The name in brackets may contain any characters.
        let bracket = stat.lastIndex(of: ")")
      else { return nil }
      let words = stat[stat.index(after: bracket)...].split(separator: " ")
      guard words.count > 3, let parent = Int32(words[1]), let session = Int32(words[3]) else { return nil }
      return (process, words[0], parent, session)
    }
  }

  /// Pauses between two checks of a state that sends no notifications.
  static func pause(milliseconds: Int) async {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "pause").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        continuation.resume()
      }
    }
  }
}
