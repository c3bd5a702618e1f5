import ArgumentParser
import QwinkleConfig
import QwinkleModel
import QwinkleResources

/// `qwinkle config`
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print all options with their defaults, for config.toml.",
    discussion: """
      The file is ~/.config/qwinkle/config.toml. To create it: qwinkle config > ~/.config/qwinkle/config.toml. Changes \
      that keys and :set saved before are included.
      """)

  @Flag(help: "Print the options in config.toml that differ from the defaults.")
  var diff = false

  @Flag(help: "Check config.toml, keys.txt and theme.txt and print the errors, with line and column.")
  var check = false

  @Option(
    help: ArgumentHelp("Print a theme, as a start for your own.", valueName: "name"),
    completion: .list(ConfigKey.theme.option.examples.filter { QwinkleResources.theme(named: $0) != nil }))
  var theme: String?

  @Flag(help: "Print the contrast of each theme's colours.")
  var contrast = false

  func validate() throws {
    if [diff, check, contrast, theme != nil].count(where: \.self) > 1 {
      throw ValidationError("Use one of --diff, --check, --theme and --contrast.")
    }
    if let theme, QwinkleResources.theme(named: theme) == nil {
      throw ValidationError("There is no theme \(theme).")
    }
  }

  func run() throws {
    try MainActor.assumeIsolated { try print() }
  }

  @MainActor
  private func print() throws {
    let paths = Paths()
    if let theme { return StandardOutput.show(Array((QwinkleResources.theme(named: theme) ?? "").utf8)) }
    if contrast { return StandardOutput.show(Array(ThemeChoice.contrastTable().utf8)) }
    if !check { UserConfig.complain(paths) }
    if diff { return StandardOutput.show(Array(ConfigText.difference(of: UserConfig.load(paths)).utf8)) }
    guard check else {
      let saved = ConfigCenter(paths).hasFile ? Config() : ConfigCenter.saved(in: paths)
      return StandardOutput.show(Array(ConfigText.commented(with: saved).utf8))
    }
    let center = ConfigCenter(paths)
    _ = try center.keymap()
    _ = center.themeMaker()
    center.checkOwnTheme()
    let problems = center.problems
    for problem in problems { StandardOutput.print(problem, wraps: false) }
    if !problems.isEmpty { throw AppError.failed("\(Counted.words(problems.count, "problem")) found.") }
  }
}
