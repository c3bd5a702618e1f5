import Foundation
import LibC

/// Streaming and posting users of a shared host, over the socket of `qwinkle serve --socket`. Checks that each stream
/// receives each acknowledged post exactly once, and prints the times.
///
/// Root connects as one Unix user per connection. Other users connect as themselves, so all connections have one
/// account, and the limit of streams of one account applies.
struct SharedBench {
  struct Options {
    var seconds = 60.0
    var streams = getuid() == 0 ? 200 : 60
    var writers = 50
    /// Posts per second of all writers together.
    var rate = 20.0

    /// Returns nil if the arguments are malformed.
    init?(_ arguments: ArraySlice<String>) {
      var rest = arguments
      while let name = rest.popFirst() {
        guard let value = rest.popFirst().flatMap({ Double($0) }), value > 0, value < 1e6 else { return nil }
        switch name {
        case "--seconds": seconds = value
        case "--streams": streams = Int(value)
        case "--writers": writers = Int(value)
        case "--rate": rate = value
        default: return nil
        }
      }
    }
  }

  /// The first of the Unix users.
  private static let firstUser: uid_t = 5001
  /// Time without a new event after which the remaining events count as lost, in seconds.
  private static let patience = 30.0

  let options: Options

  /// Runs the load. Returns whether nothing was lost or duplicated.
  ///
  /// The server refuses uids without a name. As root, this method therefore runs the benchmark again in a mount
  /// namespace, in which `/etc/passwd` has its users.
  func run() throws -> Bool {
    if getuid() == 0, getpwuid(Self.firstUser) == nil { return try runWithNames() }
    let folder = "/tmp/qwinkle-shared-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // All users must reach the socket. The server restricts its data folder itself.
    for path in [folder, "\(folder)/run"] {
      guard mkdir(path, 0o755) == 0, chmod(path, 0o755) == 0 else { throw BenchError(description: systemWords()) }
    }
    let socket = "\(folder)/run/qwinkle.sock"
    let server = Process()
    server.executableURL = URL(fileURLWithPath: BenchProgram.path)
    server.arguments = ["serve", "--socket", socket, "--data", "\(folder)/data", "--unlimited"]
    server.environment = BenchProgram.environment(home: folder)
    server.standardOutput = FileHandle.nullDevice
    try server.run()
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    try Self.waitForServer(socket, server)
    return try load(socket, server)
  }

  private func runWithNames() throws -> Bool {
    let names = "/tmp/qwinkle-names-\(UUID().uuidString.prefix(8))"
    defer { unlink(names) }
    let users = (0..<options.writers + options.streams).map { number in
      let uid = Self.firstUser + uid_t(number)
      return "user\(uid):x:\(uid):\(uid)::/:/bin/sh\n"
    }
    let known = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
    try Data((known + users.joined()).utf8).write(to: URL(fileURLWithPath: names))
    let again = Process()
    again.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    again.arguments =
      ["--mount", "/bin/sh", "-c", #"mount --bind "$0" /etc/passwd && exec "$@""#, names]
      + ["/proc/\(getpid())/exe"] + CommandLine.arguments.dropFirst()
    try again.run()
    again.waitUntilExit()
    return again.terminationStatus == 0
  }

  private static func waitForServer(_ socket: String, _ server: Process) throws {
    let end = ContinuousClock.now + .seconds(patience)
    while (try? UnixConnection(socket)) == nil {
      guard server.isRunning, ContinuousClock.now < end else {
        throw BenchError(description: "qwinkle serve --socket doesn't listen")
      }
      // The socket can't be watched before the server creates it.
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  private func user(_ number: Int) -> uid_t? { getuid() == 0 ? Self.firstUser + uid_t(number) : nil }

  private func load(_ socket: String, _ server: Process) throws -> Bool {
    var writers: [UnixConnection] = []
    for number in 0..<options.writers { writers.append(try UnixConnection(socket, as: user(number))) }
    var streams: [SharedStream] = []
    for number in 0..<options.streams {
      streams.append(try SharedStream(UnixConnection(socket, as: user(options.writers + number))))
    }
    let users = getuid() == 0 ? "\(options.writers + options.streams) users" : "1 user"
    print("shared: \(streams.count) streams and \(writers.count) writers of \(users), \(Int(options.seconds)) s")
    let log = SharedLog()
    let writing = start(writers, log)
    let isComplete = receive(streams, log, until: writing)
    return report(streams, log, server, isComplete: isComplete)
  }

  /// Starts a thread for each writer. The group is empty when all have finished.
  private func start(_ writers: [UnixConnection], _ log: SharedLog) -> DispatchGroup {
    let group = DispatchGroup()
    let (start, pause) = (ContinuousClock.now, Double(writers.count) / options.rate)
    let end = start + .seconds(options.seconds)
    for (number, writer) in writers.enumerated() {
      group.enter()
      // Each connection belongs to its thread from here on.
      nonisolated(unsafe) let connection = writer
      // The first posts are spread over one pause, so that the writers don't post at the same moments.
      let first = start + .seconds(pause * Double(number) / Double(writers.count))
      Thread.detachNewThread {
        defer { group.leave() }
        var next = first
        while next < end {
          // The writer has its own thread, and posts at a fixed rate.
          Thread.sleep(forTimeInterval: max(0, ContinuousClock.now.duration(to: next) / .seconds(1)))
          next += .seconds(pause)
          let post = log.begin()
          do {
            let answer = try connection.send(SharedPost.request(post))
            if answer.status == 200 { log.acknowledge(post) } else { log.fail("\(answer.status) \(answer.body)") }
          } catch {
            return log.fail("\(error)")
          }
        }
      }
    }
    return group
  }

  /// Receives events until all streams have all acknowledged posts. Returns false if a stream ends, or if none
  /// receives an event for a while.
  private func receive(_ streams: [SharedStream], _ log: SharedLog, until writing: DispatchGroup) -> Bool {
    var waiting = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var last = ContinuousClock.now
    while true {
      let isWriting = writing.wait(timeout: .now()) == .timedOut
      if !isWriting, log.eventCount >= log.acknowledged.count * streams.count { return true }
      if poll(&waiting, nfds_t(waiting.count), 100) > 0 {
        for (index, entry) in waiting.enumerated() where entry.revents != 0 {
          let posts = streams[index].receive()
          log.receive(posts)
          if !streams[index].isOpen { return false }
          if !posts.isEmpty { last = .now }
        }
      }
      if isWriting { last = max(last, ContinuousClock.now - .seconds(Self.patience / 2)) }
      if last.duration(to: .now) > .seconds(Self.patience) { return false }
    }
  }

  private func report(_ streams: [SharedStream], _ log: SharedLog, _ server: Process, isComplete: Bool) -> Bool {
    let acknowledged = log.acknowledged
    var (missing, repeated, closed) = (0, 0, 0)
    for stream in streams {
      if !stream.isOpen { closed += 1 }
      for post in acknowledged where !stream.counts.indices.contains(post) || stream.counts[post] == 0 {
        missing += 1
      }
      repeated += stream.counts.filter { $0 > 1 }.count
    }
    print("shared: \(acknowledged.count) posts acknowledged, \(log.failures.count) failed, \(log.eventCount) events")
    for failure in Set(log.failures).sorted().prefix(5) { print("shared: a post failed: \(failure)") }
    print("shared: \(missing) events lost, \(repeated) repeated, \(closed) streams closed by the server")
    print("shared: a post: \(Self.percentiles(log.postTimes))")
    print("shared: from post to event: \(Self.percentiles(log.eventTimes))")
    let pid = server.processIdentifier
    print("shared: server: \(megabytes(residentMemory(of: pid))) resident, at most \(Self.mostMemory(of: pid))")
    let isGood = isComplete && missing + repeated + closed + log.failures.count == 0 && !acknowledged.isEmpty
    print("shared: \(isGood ? "nothing lost" : "FAILED")")
    return isGood
  }

  private static func percentiles(_ times: [Double]) -> String {
    let sorted = times.sorted()
    guard let most = sorted.last else { return "none" }
    let values = [0.5, 0.99].map { sorted[min(sorted.count - 1, Int(Double(sorted.count) * $0))] } + [most]
    let words = zip(["p50", "p99", "max"], values).map { "\($0) \(String(format: "%.1f", $1)) ms" }
    return words.joined(separator: ", ")
  }

  private static func mostMemory(of process: pid_t) -> String {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    guard let found = status.firstMatch(of: #/VmHWM:\s+([0-9]+) kB/#), let kilobytes = Int(found.output.1) else {
      return "unknown"
    }
    return megabytes(kilobytes << 10)
  }
}
