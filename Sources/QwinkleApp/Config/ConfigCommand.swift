import ArgumentParser
import QwinkleConfig
import QwinkleModel

/// `qwinkle config`
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print all options with their defaults, for config.toml.",
    discussion: """
      The file is ~/.config/qwinkle/config.toml. To begin one: qwinkle config > ~/.config/qwinkle/config.toml. What keys \
      and :set have kept without a file is set in it.
      """)

  @Flag(help: "Print what config.toml sets otherwise than the default.")
  var diff = false

  @Flag(help: "Check config.toml and print what is wrong, with line and column.")
  var check = false

  func validate() throws {
    if diff, check { throw ValidationError("Use either --diff or --check.") }
  }

  func run() throws {
    try MainActor.assumeIsolated { try print() }
  }

  @MainActor
  private func print() throws {
    let paths = Paths()
    if diff { return StandardOutput.show(Array(ConfigText.difference(of: UserConfig.load(paths)).utf8)) }
    guard check else {
      let kept = ConfigCenter(paths).hasFile ? Config() : ConfigCenter.kept(in: paths)
      return StandardOutput.show(Array(ConfigText.commented(with: kept).utf8))
    }
    let problems = ConfigCenter(paths).problems
    for problem in problems { StandardOutput.print(problem, wraps: false) }
    if !problems.isEmpty { throw AppError.failed("\(Counted.words(problems.count, "problem")) in config.toml.") }
  }
}
