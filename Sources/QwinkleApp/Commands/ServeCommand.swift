import ArgumentParser
import CProcess
import Dispatch
import Foundation
import Logging
import QwinkleResources
import QwinkleServer
import Timekeeping

/// `qwinkle serve`: runs the embedded service for others over HTTP.
struct ServeCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve a timeline to others over HTTP.",
    discussion: """
      Add its users first: qwinkle serve add-user NAME. It has no TLS: outside this machine, put a proxy with TLS in \
      front of it.
      """,
    subcommands: [AddUserCommand.self, SetPasswordCommand.self])

  @Option(help: ArgumentHelp("The address to listen on; port 0 lets the system choose one.", valueName: "host:port"))
  var bind = "127.0.0.1:8420"

  @OptionGroup var location: ServiceLocation

  @MainActor private static var running: (task: Task<Void, Never>, sources: [any DispatchSourceSignal])?

  func validate() throws {
    _ = try address()
  }

  @MainActor
  func start() throws {
    let (host, port) = try address()
    let service = try location.openService()
    var log = Logger(label: "qwinkle.serve") { StreamLogHandler.standardError(label: $0) }
    log.logLevel = .warning
    let front = HTTPFront(service: service, host: host, port: port, log: log)
    let task = Task { @MainActor in
      do {
        try await front.run { port in
          StandardOutput.print("Serving at http://\(HTTPFront.authority(host: host, port: port)). ^C stops it.")
        }
        service.close()
        QwinkleProgram.end(status: 0)
      } catch {
        QwinkleProgram.end(with: error)
      }
    }
    Self.running = (task, [SIGINT, SIGTERM, SIGHUP].map { Self.watch($0, cancelling: task) })
  }

  @MainActor
  private static func watch(_ number: Int32, cancelling task: Task<Void, Never>) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { task.cancel() }
    source.activate()
    return source
  }

  private func address() throws -> (host: String, port: Int) {
    guard let colon = bind.lastIndex(of: ":"), let port = Int(bind[bind.index(after: colon)...]),
      (0...65535).contains(port), colon > bind.startIndex
    else { throw ValidationError("--bind must be HOST:PORT, such as 127.0.0.1:8420, not “\(bind)”.") }
    return (bind[..<colon].trimmingCharacters(in: ["[", "]"]), port)
  }
}

/// The folder of a served timeline.
struct ServiceLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder with the timeline's data, by default ~/.local/share/qwinkle.", valueName: "dir"))
  var data: String?

  /// The option as it was given, for a command line that people copy; empty if it was not.
  var words: String { data.map { " --data \(ShellWord.word($0))" } ?? "" }

  /// Opens the folder's service, and complains about a damaged file.
  func openService() throws(AppError) -> Service {
    do {
      let service = try Service(
        directory: data ?? Paths().data, welcome: QwinkleResources.welcome, owner: "", clock: SystemClock())
      try service.open()
      if let damage = service.damageSentence { StandardOutput.complain(damage) }
      return service
    } catch {
      throw AppError(error)
    }
  }
}
