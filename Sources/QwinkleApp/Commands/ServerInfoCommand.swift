import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle server`
struct ServerInfoCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "server", abstract: "Print information about the server, and its rules.",
    discussion: "qwinkle report refers to rules by these numbers.")

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice) { server, _ in
      let info = try await server.answer(to: Request<ServerInfo>.serverInfo.sourced)
      if json { return StandardOutput.print(json: info.json) }
      StandardOutput.print(Self.text(info.answer))
    }
  }

  private static func text(_ info: ServerInfo) -> String {
    let name = info.title == info.domain ? info.title : "\(info.title)  \(info.domain)"
    let rules = info.rules.enumerated().map { number, rule in
      "Rule \(number + 1): \(rule.text)" + (rule.hint.isEmpty ? "" : "\n  \(rule.hint)")
    }
    return ([name] + (info.summary.isEmpty ? [] : [info.summary]) + info.facts + rules).joined(separator: "\n")
  }
}
