import ArgumentParser
import CProcess
import Dispatch
import Foundation
import Logging
import QwinkleModel
import QwinkleResources
import QwinkleServer
import Timekeeping

/// `qwinkle serve`: serves the embedded server over HTTP or on a Unix socket.
struct ServeCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve a timeline to others over HTTP or a Unix socket.",
    discussion: """
      Add its users first: qwinkle serve add-user NAME. It has no TLS: to serve other machines, put a TLS proxy in \
      front of it.

      With --socket, all users of this host use it, each as themselves: the system tells the server who they are, so \
      they need no account and no password. An account belongs to the uid, and is made when its user first connects.
      """,
    subcommands: [
      AddUserCommand.self, SetPasswordCommand.self, ServedUsersCommand.self, ServedReportsCommand.self,
      DeletePostCommand.self, ServedRulesCommand.self, ServedLogCommand.self, ServedStatsCommand.self,
      BackupCommand.self, CheckCommand.self, RestoreCommand.self,
    ])

  @Option(
    help: ArgumentHelp(
      "The address to listen on, by default 127.0.0.1:8420; port 0 lets the system choose one.",
      valueName: "host:port"))
  var bind: String?

  @Option(
    help: ArgumentHelp(
      "The server's public address, such as https://qwinkle.example; by default the address of each request.",
      valueName: "url"))
  var origin: String?

  @Option(
    help: ArgumentHelp(
      "Write a line for each request to this file, or to standard output if it is “-”.", valueName: "file"),
    completion: .file())
  var accessLog: String?

  @Option(
    help: ArgumentHelp(
      "Trust the X-Forwarded-For and X-Forwarded-Proto headers of the proxy at this IP address.",
      valueName: "address"))
  var trustedProxy: [String] = []

  @Flag(help: "Disable the limits on posts, edits, uploads and app registrations, for tests and benchmarks.")
  var unlimited = false

  @Flag(help: "Allow everyone to register an account, on the page /register or in an app.")
  var openRegistration = false

  @Option(
    help: ArgumentHelp(
      "A file with the server's rules, one per line, instead of the rules of qwinkle serve rules.",
      valueName: "file"),
    completion: .file())
  var rules: String?

  @Flag(help: "Print the limits for clients, and exit.")
  var limits = false

  @OptionGroup var unix: ServeSocketOptions

  @OptionGroup var quotas: ServeQuotaOptions

  @OptionGroup var notifying: NotifyOptions

  @OptionGroup var monitoring: MetricsOptions

  @OptionGroup var location: ServiceLocation

  /// Time that requests in progress have to finish after a signal.
  private static let mostDraining = Duration.seconds(10)
  /// Size of a database above which the server doesn't look whether it has users.
  private static let mostBytesWithoutUsers = 4 << 20

  @MainActor private static var running: Running?

  private struct Running {
    var task: Task<Void, Never>
    var claim: ServeClaim
    var manager: ServiceManager?
    var sources: [any DispatchSourceSignal]
    var deadline: ProgramTimer?
  }

  func validate() throws {
    _ = try address()
    _ = try servedOrigin()
    for proxy in trustedProxy where !HTTPFront.isAddress(proxy) {
      throw ValidationError("--trusted-proxy must be an IP address, such as 127.0.0.1, not “\(proxy)”.")
    }
  }

  func start() throws {
    if limits {
      for line in LimitsTable.lines(quotas.quotas) { StandardOutput.print(line) }
      QwinkleProgram.end(status: 0)
    }
    let network = try address()
    var log = Logger(label: "qwinkle.serve") { StreamLogHandler.standardError(label: $0) }
    log.logLevel = .warning
    DescriptorLimit.raise()
    let inherited = SocketActivation.take()
    var terms = try self.terms()
    if unix.path(inherited: inherited) != nil { terms.unixAccess = try unix.access() }
    let addresses = try unix.addresses(network: network, inherited: inherited)
    let manager = notifying.serviceManager(log: log)
    manager?.show("Checking the database")
    let claim = try location.claim()
    let service = try location.openService(
      isUnlimited: unlimited, terms: terms, quotas: quotas.quotas, log: log)
    let metrics = monitoring.served(by: service)
    let next = openRegistration ? nil : try nextStep(of: service, inherited)
    let front = HTTPFront(
      service: service, addresses: addresses, origin: try servedOrigin(), trustedProxies: trustedProxy, log: log,
      accessLog: try accessLog.map(AccessLog.init).map { log in { log.write($0) } }, metrics: metrics?.counts)
    metrics?.start()
    let task = Task { @MainActor in
      do {
        try await front.run { port in
          var places = unix.path(inherited: inherited).map { [$0] } ?? []
          if port > 0 {
            let host = if case .network(let host, _) = network ?? ServeSocketOptions.usual { host } else { "" }
            places.append("http://\(HTTPFront.authority(host: host, port: port))")
          }
          let line = "Serving at \(places.joined(separator: " and ")). ^C stops it."
          // One write: a program that reads only the first line may then close the pipe.
          StandardOutput.print([line, next].compactMap(\.self).joined(separator: "\n"))
          await manager?.isServing(clock: SystemClock()) { front.connectionCount }
        }
        service.close()
        QwinkleProgram.end(status: 0)
      } catch {
        QwinkleProgram.end(with: error)
      }
    }
    Self.running = Running(
      task: task, claim: claim, manager: manager,
      sources: ProcessControl.onSignals([SIGINT, SIGTERM, SIGHUP]) { Self.stop(front) })
  }

  /// Returns what to do next if no one can use the server yet.
  private func nextStep(
    of service: Service, _ inherited: SocketActivation.Sockets
  ) throws(ServiceError) -> String? {
    // Listing the users reads all their posts. A server with many posts has users.
    guard location.databaseBytes < Self.mostBytesWithoutUsers else { return nil }
    let hasUsers = try service.users().contains { $0.hasPassword || $0.tokens > 0 || $0.uid != nil }
    guard !hasUsers else { return nil }
    let socket = unix.path(inherited: inherited)
    return ServeNextStep.words(socket: socket, isStandard: socket == Paths().socket, options: location.words)
  }

  /// Stops the server when the requests in progress are answered or a time limit is reached. A second signal stops it
  /// immediately.
  @MainActor
  private static func stop(_ front: HTTPFront) {
    guard let running, running.deadline == nil else {
      running?.task.cancel()
      return
    }
    running.manager?.isStopping()
    let task = running.task
    Self.running?.deadline = SystemClock().schedule(after: mostDraining) { task.cancel() }
    front.drain { task.cancel() }
  }

  private func terms() throws(AppError) -> ServiceTerms {
    var terms = ServiceTerms(isOpen: openRegistration)
    guard let path = rules else { return terms }
    guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8) else {
      throw .failed("Cannot read \(path), the file of --rules, as text.")
    }
    guard let rules = ServiceTerms.rules(in: text) else {
      throw .usage(
        "\(path) has too many rules or too long ones: the limit is \(ServiceTerms.mostRules) lines of "
          + "\(ServiceTerms.mostCharacters) characters.")
    }
    terms.rules = rules
    return terms
  }

  private func servedOrigin() throws -> String? {
    guard let origin else { return nil }
    do {
      return try ServerAddress(typed: origin).url
    } catch {
      throw ValidationError("--origin: \(error.sentence)")
    }
  }

  /// Returns the address of `--bind`, or nil if it wasn't given.
  private func address() throws -> FrontAddress? {
    guard let bind else { return nil }
    guard let colon = bind.lastIndex(of: ":"), let port = Int(bind[bind.index(after: colon)...]),
      (0...65535).contains(port), colon > bind.startIndex
    else { throw ValidationError("--bind must be HOST:PORT, such as 127.0.0.1:8420, not “\(bind)”.") }
    return .network(host: bind[..<colon].trimmingCharacters(in: ["[", "]"]), port: port)
  }
}

/// The data folder of a served timeline.
struct ServiceLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder with the timeline's data, by default ~/.local/share/qwinkle.", valueName: "dir"),
    completion: .directory)
  var data: String?

  /// The `--data` option as the user typed it, to append to suggested command lines. Empty if it wasn't given.
  var words: String { data.map { " --data \(ShellWord.word($0))" } ?? "" }

  private var directory: String { data ?? Paths().data }

  /// Size of the folder's database, or 0 if it is missing.
  var databaseBytes: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(directory)/service.sqlite")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Returns the folder's data, for work that needs no running server. Throws if other users can access the folder, as
  /// every `serve` command does.
  func served() throws(ServiceError) -> ServedData {
    let data = ServedData(directory: directory, clock: SystemClock())
    try data.checkAccess()
    return data
  }

  /// Claims the folder, so that no other process serves it, and checks its database.
  func claim() throws(ServiceError) -> ServeClaim {
    let data = try served()
    let claim = try data.claim()
    try data.checkBeforeServing()
    return claim
  }

  /// Opens the folder's server, runs `work` with it and closes it. Throws if the folder contains no database, instead
  /// of creating one: the folder may be mistyped.
  func using(_ work: (Service) throws -> Void) throws {
    guard FileManager.default.fileExists(atPath: "\(directory)/service.sqlite") else {
      throw AppError.failed(
        "There is no timeline in \(directory). If that is the right folder, add its first user: "
          + "qwinkle serve add-user NAME\(words)")
    }
    let service = try openService()
    defer { service.close() }
    try work(service)
  }

  /// Like ``using(_:)``, for work that changes something before it prints. The command then succeeds even if its output
  /// is lost.
  func changing(_ work: (Service) throws -> Void) throws {
    try using { service in
      StandardOutput.target.note(done: "Done")
      try work(service)
    }
  }

  /// Opens the folder's server. Throws if a file is corrupt, rather than replacing it.
  func openService(
    isUnlimited: Bool = false, terms: ServiceTerms = ServiceTerms(), quotas: ServiceQuotas? = nil, log: Logger? = nil
  ) throws(ServiceError) -> Service {
    _ = try served()
    let service = try Service(
      directory: directory, welcome: QwinkleResources.welcome, owner: "", clock: SystemClock(), use: .served,
      isUnlimited: isUnlimited, terms: terms, quotas: quotas, blurhash: BlurhashMaker().blurhash(of:),
      log: log ?? Logger(label: "qwinkle.serve") { _ in SwiftLogNoOpLogHandler() })
    try service.open()
    return service
  }
}
