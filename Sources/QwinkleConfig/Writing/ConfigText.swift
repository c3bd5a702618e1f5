/// Output of `qwinkle config`.
public enum ConfigText {
  private static let columns = 100

  /// All options with their descriptions. An option that `config` doesn't set is commented out and has its default
  /// value.
  public static func commented(with config: Config = Config()) -> String {
    var text = """
      # Qwinkle's options. To set one, remove the # of its line. In Qwinkle :set changes an option until you quit, :set!
      # writes it here, and :reload reads this file again. To check it: qwinkle config --check

      """
    for group in ConfigOption.Group.allCases {
      text += "\n# \(group.rawValue)\n"
      for option in ConfigOption.all where option.group == group {
        text += "\n" + wrapped("\(option.meaning) (\(option.choices))")
        let value = config.value(of: option.key)
        text += "\(value == nil ? "# " : "")\(option.name) = \((value ?? option.standard).toml)\n"
      }
    }
    text += "\n" + wrapped("Options that can be set for one account: \(perAccount.joined(separator: ", ")).")
    text += "# [accounts.\"alice@tilde.example\"]\n# density = \"compact\"\n"
    text += """

      # Your own commands for the selected post: :words pipes its text into wc. Their output is shown.
      # [commands]
      # words = "wc -w"
      # quote = { run = "sed 's/^/> /'", input = "text", output = "entry" }

      # Your own views: the cached posts that match a rule. :view trains opens one.
      # [views]
      # trains = "has:media lang:sv 'train'"
      # others = "boost and not from:@anna"

      # Posts that match one of these rules are left out of timelines and views, except your own posts. gh shows them.
      # [hide-rules]
      # results = "'football' and not from:@anna"

      # Your own arrangements of panes: :layout garden shows one, and [layouts.width] chooses one by the window's width.
      # [layouts]
      # garden = "home*60 | (messages / #garden)*40"
      # [layouts.width]
      # 160 = "garden"

      # Commands that run on an event, with the post as JSON on standard input.
      # [hooks]
      # message = "cat >> ~/messages.json"

      """
    for (name, settings) in config.accounts.map({ ($0.name, $0.settings) }) {
      text += "\n[accounts.\(TOMLText.key(name))]\n" + lines(settings)
    }
    return text
  }

  /// The settings for all accounts that differ from the defaults, and the settings of single accounts that differ from
  /// those for all accounts, as lines of the file.
  public static func difference(of config: Config) -> String {
    var text = config.settings.filter { $0.value != $0.key.option.standard }.map { setting in
      "\(setting.key.name) = \(setting.value.toml)  # default: \(setting.key.option.standard.toml)\n"
    }.joined()
    for (name, settings) in config.accounts.map({ ($0.name, $0.settings) }) {
      let other = settings.filter { $0.value != config[$0.key] }
      if other.isEmpty { continue }
      if !text.isEmpty { text += "\n" }
      text += "[accounts.\(TOMLText.key(name))]\n" + lines(other)
    }
    return text
  }

  /// Names of the options that can be set for a single account.
  public static var perAccount: [String] { ConfigOption.all.filter(\.isPerAccount).map(\.name) }

  private static func lines(_ settings: [Config.Setting]) -> String {
    settings.map { "\($0.key.name) = \($0.value.toml)\n" }.joined()
  }

  /// Returns a comment with lines broken between words.
  private static func wrapped(_ words: String) -> String {
    var lines: [String] = []
    var line = "#"
    for word in words.split(separator: " ") {
      if line.count + 1 + word.count > columns, line != "#" {
        lines.append(line)
        line = "#"
      }
      line += " \(word)"
    }
    return (lines + [line]).map { "\($0)\n" }.joined()
  }
}
