import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleService
import QwinkleStore
import Terminal
import TerminalCurses
import Timekeeping

/// `qwinkle doctor`
struct DoctorCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the terminal, the files and the server.",
    discussion: """
      Prints details for a bug report: versions, the terminal, files and their modes, databases, the server's \
      features, and the log's last errors. It contains no token and no text of a post. Exit status 1 if there is a \
      problem.
      """)

  @Flag(help: "Don't contact the server.")
  var offline = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run {
      let report = await Doctor(paths: Paths(), choice: options.choice).examine(asksServer: !offline)
      StandardOutput.print(report.text, wraps: false)
      if report.problemCount > 0 { QwinkleProgram.end(status: 1) }
    }
  }
}

/// Checks for problems that could keep Qwinkle from working. Changes nothing.
@MainActor
struct Doctor {
  private static let mostErrors = 5
  /// Number of bytes read from the end of the log.
  private static let mostLogBytes = 64 * 1024

  let paths: Paths
  let choice: SessionChoice

  func examine(asksServer: Bool) async -> DoctorReport {
    var report = DoctorReport(sections: [program, terminal, files, databases, log])
    report.sections.insert(await server(isAsked: asksServer), at: 2)
    return report
  }

  private var program: DoctorReport.Section {
    var section = DoctorReport.Section(title: "Program")
    section.add("qwinkle", RootCommand.configuration.version)
    section.add("system", ProcessInfo.processInfo.operatingSystemVersionString)
    let crash = CrashReport(directory: paths.state).path
    if FileManager.default.fileExists(atPath: crash) { section.add("last crash", crash) }
    return section
  }

  private var terminal: DoctorReport.Section {
    var section = DoctorReport.Section(title: "Terminal")
    let colors = ColorChoice(rawValue: UserConfig.load(paths)[.colours].text) ?? .auto
    for fact in TerminalFacts.all(colors: colors) { section.add(fact.name, fact.value) }
    return section
  }

  // MARK: Server

  private func server(isAsked: Bool) async -> DoctorReport.Section {
    var section = DoctorReport.Section(title: "Account and server")
    do {
      let owner = try AccountSession.owner(of: choice, paths: paths)
      switch owner {
      case .saved(let account):
        section.add("account", account.name)
        section.add("token", account.tokenOrigin.words.place)
      case .shared: section.add("account", "\(SharedTimeline.accountWords), by the socket")
      case .local: section.add("account", "none: the timeline on this machine")
      case nil: section.add("account", "none")
      }
      SocketCheck(owner, paths: paths).add(to: &section)
      if case .local = owner { return section }
      guard isAsked else { return section }
      let session = try AccountSession.begin(
        choice, paths: paths, clock: SystemClock(), ledger: ActivityLedger())
      await ask(session, &section)
    } catch {
      section.add("account", choice.account ?? "default", problem: AppError(error).sentence)
    }
    return section
  }

  private func ask(_ session: AccountSession, _ section: inout DoctorReport.Section) async {
    let connection = AccountConnection(
      service: session.downloads, clock: SystemClock(), isSignedIn: session.isSignedIn)
    section.add("address", connection.serverURL)
    do {
      let info = try await connection.answer(to: .serverInfo)
      section.add("server", "\(info.domain) \(info.version)")
      section.add("API", info.isFirstVersion ? "version 1 only" : "version 2")
      section.add("limits", "\(info.limits.characters) characters, \(info.limits.attachments) attachments")
      section.add("streaming", info.streamingURL ?? "not announced")
    } catch {
      section.add("server", "no answer", problem: AppError(error).sentence)
    }
    guard session.isSignedIn else { return section.add("signed in", "no") }
    do {
      _ = try await connection.answer(to: .ownAccount)
      section.add("signed in", "yes")
    } catch {
      section.add("signed in", "unknown", problem: AppError(error).sentence)
    }
  }

  // MARK: Files

  private var files: DoctorReport.Section {
    var section = DoctorReport.Section(title: "Files")
    for (name, path) in [("data", paths.data), ("cache", paths.cache), ("state", paths.state)] {
      add(FileCheck(path: path), as: name, to: &section)
    }
    do throws(AppError) {
      let saved = try AccountBook(paths: paths).load()
      section.add("accounts", "\(saved.accounts.count)")
    } catch {
      section.add("accounts", "unreadable", problem: error.sentence)
    }
    return section
  }

  private var databases: DoctorReport.Section {
    var section = DoctorReport.Section(title: "Databases")
    for folder in [paths.data, paths.cache] {
      for path in Self.databases(below: folder) {
        add(FileCheck(database: path), as: path.hasPrefix(paths.cache) ? "cache" : "data", to: &section)
      }
    }
    return section
  }

  /// Returns the databases in a folder and in its accounts' folders, including corrupt ones that were moved aside.
  private static func databases(below folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let inFolders = names.flatMap { name in
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []).map { "\(name)/\($0)" }
    }
    return (names + inFolders).filter { $0.hasSuffix(".sqlite") }.sorted().map { "\(folder)/\($0)" }
  }

  private func add(_ check: FileCheck, as name: String, to section: inout DoctorReport.Section) {
    var facts = [check.path]
    if let mode = check.mode { facts.append(String(mode, radix: 8)) } else { facts.append("doesn't exist yet") }
    if let version = check.version { facts.append("version \(version), \((check.size + 1023) / 1024) KB") }
    section.add(name, facts.joined(separator: "  "), problem: check.problem)
  }

  // MARK: Log

  private var log: DoctorReport.Section {
    var section = DoctorReport.Section(title: "Last errors")
    let lines = logLines.filter { line in
      let level = line.split(separator: " ", maxSplits: 2).dropFirst().first
      return ["error", "critical", "warning"].contains(level)
    }
    for line in lines.suffix(Self.mostErrors) {
      let parts = line.split(separator: " ", maxSplits: 1)
      section.add(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return section
  }

  private var logLines: [Substring] {
    guard let file = FileHandle(forReadingAtPath: paths.state + "/log") else { return [] }
    defer { try? file.close() }
    let end = (try? file.seekToEnd()) ?? 0
    let most = UInt64(Self.mostLogBytes)
    try? file.seek(toOffset: end > most ? end - most : 0)
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self).split(separator: "\n")
  }
}
