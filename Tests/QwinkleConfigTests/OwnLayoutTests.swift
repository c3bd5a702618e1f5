import PaneTrees
import QwinkleModel
import Testing

@testable import QwinkleConfig

/// The `[layouts]` table.
struct OwnLayoutTests {
  @Test(arguments: [
    "public", "home", "local", "bookmarks", "favourites", "trending", "#garden", "list/5/My friends", "list/Friends",
    "view/trains", "search/leek soup", "@bob", "@bob@tilde.example", "chat/@bob", "chat/@bob @carol@far.example",
    "tilde.example/local", "tilde.example:8443/public", "tilde.example/#garden", "thread/109", "messages",
    "notifications", "search", "views", "drafts", "outbox", "resources", "lists",
  ])
  func `a pane's name is read and written`(word: String) throws {
    #expect(try #require(PaneName(word)).word == word)
  }

  @Test(arguments: PaneForm.all.flatMap { $0.form.split(separator: ", ").map(String.init) })
  func `the forms in the manual are names of panes`(form: String) throws {
    #expect(PaneName(form)?.word == form)
  }

  @Test(arguments: [
    "", "hom", "@", "#", "chat/", "chat/bob", "list/", "view/", "search/", "mail/x", "a b", "tilde.example/home",
    "https://tilde.example/public/local",
  ])
  func `other words are no panes`(word: String) { #expect(PaneName(word) == nil) }

  @Test(arguments: [
    "home", "home*60 | messages*40", "(home / #garden)*70 | (\"search/a b\" / drafts)*30",
    "home*60 | (tilde.example/local / tilde.example/#garden)*40",
  ])
  func `a layout is read and written`(text: String) throws {
    #expect(try OwnLayout(name: "a", text: text).text == text)
  }

  private func problems(_ text: String) -> [String] { ConfigReader(text).problems.map { $0.words(in: "c") } }

  @Test func `layouts and widths are read, and errors are reported with their positions`() {
    let text = """
      [layouts.width]
      160 = "garden"
      100 = "pair"
      80 = "single"
      120 = "gardn"
      7 = "pair"
      0160 = "pair"
      [layouts]
      garden = "home*60 | (messages / #garden)*40"
      pair = "home | messages"
      open = "home | (messages"
      near = "hom | messages"
      twice = "home | home"
      auto = "home"
      "é" = '  home ü || messages'
      number = 3
      """
    #expect(
      problems(text) == [
        "c:5:7: No layout “gardn”. Did you mean garden?",
        "c:6:1: A width is 20 to 1000 columns: 100 = \"garden\".",
        "c:7:1: A width is 20 to 1000 columns: 100 = \"garden\".",
        "c:11:25: A layout is panes with | or / between them: home*60 | (messages / #garden)*40.",
        "c:12:9: No pane “hom”. Did you mean home?",
        "c:13:10: Each pane can occur once in a layout.",
        "c:14:1: A layout's name has letters, digits, - and _, at most 30, and isn't auto, messages, single, save or width.",
        "c:15:15: A layout is panes with | or / between them: home*60 | (messages / #garden)*40.",
        "c:16:1: number must be a layout such as \"home*60 | messages*40\".",
      ])
    let config = ConfigReader(text).config
    #expect(config.layouts.map(\.name) == ["garden", "pair"])
    #expect(config.layoutWidths.map(\.columns) == [80, 100, 160])
    #expect(config.layoutWidths.map(\.name) == ["single", "pair", "garden"])
  }

  @Test func `a layout named width is a misplaced table`() {
    #expect(problems("[layouts]\nwidth = \"garden\"").count == 1)
  }

  @Test(arguments: [
    ("", "[layouts]\nmine = \"home | messages\"\n"),
    ("density = \"compact\" # mine\n", "density = \"compact\" # mine\n\n[layouts]\nmine = \"home | messages\"\n"),
    ("[layouts]\nmine = 'public' # old\n", "[layouts]\nmine = \"home | messages\" # old\n"),
    (
      "[layouts]\nother = 'public'\n[views]\na = 'boost'\n",
      "[layouts]\nother = 'public'\nmine = \"home | messages\"\n[views]\na = 'boost'\n"
    ),
    (
      "[layouts.width]\n100 = 'single'\n",
      "[layouts.width]\n100 = 'single'\n\n[layouts]\nmine = \"home | messages\"\n"
    ),
  ])
  func `saving a layout changes one line`(before: String, expected: String) throws {
    let layout = try OwnLayout(name: "mine", text: "home | messages")
    let text = try ConfigEdit(before).setting(layout)
    #expect(text == expected)
    #expect(ConfigReader(text).problems.isEmpty && ConfigReader(text).config.layouts.contains(layout))
  }

  @Test func `a layout that one line can't set is refused`() throws {
    let layout = try OwnLayout(name: "mine", text: "home")
    #expect(throws: ConfigProblem.self) { try ConfigEdit("layouts = 3").setting(layout) }
  }
}
