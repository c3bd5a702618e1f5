import QwinkleModel
import Testing

@testable import QwinkleConfig

@Suite struct ConfigReaderTests {
  private func problems(_ text: String) -> [String] { ConfigReader(text).problems.map { $0.words(in: "c") } }

  @Test func `options have the order of their keys, unique names and valid defaults`() {
    #expect(ConfigOption.all.map(\.key) == ConfigKey.allCases)
    #expect(Set(ConfigOption.all.map(\.name)).count == ConfigOption.all.count)
    for option in ConfigOption.all {
      #expect(option.allows(option.standard), "\(option.name)")
      for example in option.examples { #expect(option.value(typed: example) != nil, "\(option.name) \(example)") }
    }
  }

  @Test(arguments: [
    ("density.row = \"compact\"", "c:1:1: density is not a table: write it above the tables."),
    ("foo.bar = 1", "c:1:1: No table [foo]."),
    ("hook.send = \"x\"", "c:1:1: No table [hook]. Did you mean [hooks]?"),
    ("accounts.anna = 1", "c:1:1: The options of an account are a table: [accounts.\"anna\"]."),
    ("[accounts]\nanna = 1", "c:2:1: The options of an account are a table: [accounts.\"anna\"]."),
    ("foo = { bar = 1 }", "c:1:1: No table [foo]."),
    ("[foo]\nbar = 1\nbaz.x = 2", "c:1:1: No table [foo]."),
  ])
  func `a key in an unknown table is reported once`(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test func `texts in two normalization forms are read separately`() {
    for name in ["\u{E9}", "e\u{301}"] {
      let config = ConfigReader("[accounts.\"\(name)@a.example\"]\ndensity = \"compact\"").config
      #expect(config.accounts.map { Array($0.name.unicodeScalars) } == [Array("\(name)@a.example".unicodeScalars)])
    }
  }

  @Test func `the socket is auto, off or an absolute path`() {
    for value in ["auto", "off", "/run/qwinkle/qwinkle.sock"] {
      #expect(problems("socket = \"\(value)\"").isEmpty, "\(value)")
      #expect(ConfigKey.socket.option.value(typed: value) == .text(value))
    }
    let words = "c:1:10: socket must be \"auto\", \"off\" or a path that begins with /, not "
    for value in ["\"qwinkle.sock\"", "\"/run/qwinkle/\"", "1"] {
      #expect(problems("socket = \(value)") == ["\(words)\(value)."], "\(value)")
    }
    #expect(problems("socket = false") == ["\(words)false. Did you mean \"off\"?"])
    #expect(problems("[accounts.anna]\nsocket = \"off\"").count == 1)
  }

  @Test func `an option applies to all accounts unless one overrides it`() {
    let config = ConfigReader(
      """
      density = "compact"  # small
      mouse = false
      cache = 256
      [accounts."anna@tilde.example"]
      density = "comfortable"
      """
    ).config
    #expect(config[.density] == .text("compact"))
    #expect(config[.density, "anna@tilde.example"] == .text("comfortable"))
    #expect(config[.density, "ben@tilde.example"] == .text("compact"))
    #expect(!config[.mouse].flag && config[.cache].number == 256)
    #expect(config[.attention] == .text("off"))
  }

  @Test func `a problem is reported with its position and a suggestion, and the rest applies`() {
    let text = """
      denisty = "compact"
      density = "compct"
      mouse = "off"
      cache = 100
      quiet = "25-7"
      new = "waits"
      [account.anna]
      density = "compact"
      [accounts.anna]
      mouse = true
      audience = 3
      """
    #expect(
      problems(text) == [
        "c:1:1: No option “denisty”. Did you mean density?",
        "c:2:11: density must be \"comfortable\", \"compact\" or \"index\", not \"compct\". Did you mean \"compact\"?",
        "c:3:9: mouse must be true or false, not \"off\". Did you mean false?",
        "c:4:9: cache must be 16, 64, 256 or 1024, not 100. Did you mean 64?",
        "c:5:9: quiet must be \"off\" or hours such as \"22-7\", not \"25-7\".",
        "c:7:1: No table [account.anna]. Did you mean [accounts.…]?",
        "c:10:1: mouse applies to all accounts: write it above the tables.",
        "c:11:12: audience must be \"server\", \"public\", \"unlisted\", \"followers\" or \"direct\", not 3.",
      ])
    #expect(ConfigReader(text).config[.new] == .text("waits"))
  }

  @Test func `a line that is not TOML is reported and skipped`() {
    let reader = ConfigReader("density = compact\nnew = \"waits\"\nmouse = tru\nnew = \"flows\"\ncache = 16")
    #expect(reader.problems.map(\.line) == [1, 3, 4])
    #expect(reader.problems.allSatisfy { $0.sentence.hasPrefix("Not TOML: ") })
    #expect(reader.config[.new] == .text("waits") && reader.config[.cache].number == 16)
    #expect(!ConfigReader("new = \"waits\"\ntitle = \"\"\"\nno end").problems.isEmpty)
    #expect(ConfigReader("a\0b").problems.map(\.line) == [1])
    for header in ["[ä]", "[=]", "[[ #]]", "[", "[]", "[.a]", "[a..b]", "  [ +x ]", "\u{FEFF}[é]", "[[[a]]]", "[\r"] {
      let reader = ConfigReader("new = \"waits\"\n\(header)\n")
      #expect(reader.problems.first?.line ?? 2 <= 3 && !reader.problems.isEmpty, "\(header)")
      #expect(reader.config[.new] == .text("waits"), "\(header)")
    }
  }

  @Test(arguments: [
    "a = [}", "a = [[ # x\n}]]", "a = [1, }", "a = {b = [}", "a = {b = }", "a = 2026-11-12true:", "a = [2026-11-12]",
    "a = 12:x", "a = {b = 09:30}", "a = é", "é = 1", "a = 1 é", "a = [é]", "[a] é", "a = '''\n[}'''[}", "'a' é = 1",
    "a = 1é", "a = \u{2028}", "\u{2000}a = 1", "a.é = 1", "a = { é }",
  ])
  func `hostile TOML is reported and options above it apply`(line: String) {
    let reader = ConfigReader("new = \"waits\"\n\(line)\n")
    #expect(!reader.problems.isEmpty && reader.problems.allSatisfy { $0.line <= 4 }, "\(line)")
    #expect(reader.config[.new] == .text("waits"), "\(line)")
  }

  @Test func `non-ASCII letters and tildes are read unchanged`() {
    let text = """
      editor = "vi ~/é~e9~ 🌱 ~" # ü~
      browser = 'ä~~x [}, 12:00 = {'
      [accounts."ö~@x"]
      density = "compact"
      """
    let reader = ConfigReader(text)
    #expect(reader.problems.isEmpty, "\(reader.problems)")
    #expect(reader.config[.editor] == .text("vi ~/é~e9~ 🌱 ~"))
    #expect(reader.config[.browser] == .text("ä~~x [}, 12:00 = {"))
    #expect(reader.config[.density, "ö~@x"] == .text("compact"))
    #expect(problems("\"é~\" = 'ü' x").first?.hasPrefix("c:1:12: ") == true, "\(problems("\"é~\" = 'ü' x"))")
  }

  @Test func `columns count characters even after a multiline string`() {
    #expect(
      problems("\u{FEFF}# ä\neditor = '''\nvi'''\n  \"nåme\" = 1") == [
        "c:4:3: No option “nåme”. List: qwinkle config"
      ])
    #expect(problems("accounts = { anna = { \"ä\" = 1 } }") == ["c:1:23: No option “ä”. List: qwinkle config"])
  }

  @Test func `views are read and an invalid rule is reported with its position`() {
    let text = """
      [views]
      trains = "has:media lang:sv \\"train\\""
      others = 'boost and not from:@anna'
      bad = "#é \\"a\\" bost"
      long = \"\"\"
      boost
      and bost\"\"\"
      "tåg" = 3
      "a b" = "boost"
      part.of = "boost"
      """
    #expect(
      problems(text) == [
        "c:4:17: No “bost” in rules. Did you mean boost?",
        "c:7:5: No “bost” in rules. Did you mean boost?",
        "c:8:1: tåg must be a rule such as \"boost and not from:@anna\".",
        "c:9:1: A view's name has letters, digits, - and _, at most 30.",
        "c:10:1: A view is a rule: part = \"boost\".",
      ])
    #expect(ConfigReader(text).config.views.map(\.name) == ["trains", "others"])
    #expect(ConfigReader(text).config.views.first?.rule.neededWords.map(\.text) == ["train"])
    #expect(problems("views = 3").count == 1 && problems("[view]\na = \"boost\"").first?.contains("[views]") == true)
  }

  @Test func `rules that hide posts are read, and an invalid rule is reported with its position`() {
    let text = """
      hide = ["boosts", "read"]
      [hide-rules]
      results = "'football' and not from:@anna"
      bad = "bost"
      "a b" = "boost"
      part.of = "boost"
      """
    #expect(
      problems(text) == [
        "c:4:8: No “bost” in rules. Did you mean boost?",
        "c:5:1: A rule's name has letters, digits, - and _, at most 30.",
        "c:6:1: It is a rule: part = \"boost\".",
      ])
    let config = ConfigReader(text).config
    #expect(config.hideRules.map(\.name) == ["results"] && config.views.isEmpty)
    #expect(config[.hide].list == ["boosts", "read"])
    #expect(problems("[hide]\na = \"boost\"") == ["c:1:1: hide is a list of kinds. Rules are in [hide-rules]."])
  }

  @Test func `the commented default sets nothing and is valid when uncommented`() {
    let text = ConfigText.commented()
    let reader = ConfigReader(text)
    #expect(reader.problems.isEmpty && reader.config == Config())
    let bare = text.split(separator: "\n").filter { line in
      ConfigKey.allCases.contains { line.hasPrefix("# \($0.name) = ") } && !line.hasPrefix("# density = \"compact\"")
    }.map { $0.dropFirst(2) }.joined(separator: "\n")
    let set = ConfigReader(bare)
    #expect(set.problems.isEmpty)
    #expect(set.config.settings.map(\.key) == ConfigKey.allCases)
    #expect(ConfigText.difference(of: set.config).isEmpty)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test func `the difference lists changed options with their defaults`() {
    let config = ConfigReader("new = \"flows\"\ncache = 16\n[accounts.a]\ncache = 64\nquiet = \"1-2\"").config
    #expect(
      ConfigText.difference(of: config) == """
        cache = 16  # default: 64

        [accounts.a]
        cache = 64
        quiet = "1-2"

        """)
  }
}

@Suite struct ConfigEditTests {
  private func edited(
    _ text: String, _ key: ConfigKey, _ value: ConfigValue, in account: String? = nil
  ) throws -> String {
    try ConfigEdit(text).setting(key, to: value, in: account)
  }

  @Test func `an edit changes one line and preserves comments`() throws {
    let text = "# mine\ndensity = 'compact' # why\n\n[accounts.\"a@b\"]\nquiet = \"off\"\n"
    #expect(
      try edited(text, .density, .text("comfortable"))
        == text.replacing("'compact'", with: "\"comfortable\""))
    #expect(
      try edited(text, .quiet, .text("1-2"), in: "a@b") == text.replacing("\"off\"", with: "\"1-2\""))
    #expect(
      try edited(text, .cache, .number(16))
        == "# mine\ndensity = 'compact' # why\ncache = 16\n\n[accounts.\"a@b\"]\nquiet = \"off\"\n")
    #expect(try edited(text, .cache, .number(16), in: "a@b") == text + "cache = 16\n")
    #expect(try edited(text, .cache, .number(16), in: "c") == text + "\n[accounts.c]\ncache = 16\n")
  }

  @Test func `a new option is inserted below its commented default`() throws {
    let text = ConfigText.commented()
    for option in ConfigOption.all {
      let value: ConfigValue = option.examples.last.flatMap(option.value(typed:)) ?? .text("vi \"%s\" \\ ä")
      let lines = try edited(text, option.key, value).split(separator: "\n", omittingEmptySubsequences: false)
      let place = try #require(lines.firstIndex { $0 == "\(option.name) = \(value.toml)" })
      #expect(lines[place - 1].hasPrefix("# \(option.name) = "))
      #expect(lines.count == text.split(separator: "\n", omittingEmptySubsequences: false).count + 1)
    }
  }

  @Test func `a file that is not TOML is not edited`() {
    #expect(throws: ConfigProblem.self) { try edited("density = compact\n", .cache, .number(16)) }
    #expect(throws: ConfigProblem.self) { try edited("x = \"\"\"\n", .cache, .number(16)) }
  }
}
