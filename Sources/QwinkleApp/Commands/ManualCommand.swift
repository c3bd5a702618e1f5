import ArgumentParser

/// `qwinkle manual`
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a page of the manual for man, or list the pages.",
    discussion: "To read a page that is not installed: qwinkle manual qwinkle-keys.5 | man -l -")

  @Argument(
    help: "The page: qwinkle.1, qwinkle-config.5, qwinkle-keys.5, qwinkle-tapes.5 or qwinkle-serve.8.",
    completion: .list(Manual.files))
  var page: String?

  @Flag(help: "Print it as plain text. qwinkle help TOPIC does that, too.")
  var text = false

  @Flag(help: "Print it as Markdown.")
  var markdown = false

  func validate() throws {
    guard !text || !markdown else { throw ValidationError("Use --text or --markdown, not both.") }
  }

  func run() throws {
    let pages = try Manual.pages()
    guard let page else {
      for page in pages { StandardOutput.print(page.file, wraps: false) }
      return
    }
    guard let found = pages.first(where: { $0.file == page || $0.name == page }) else {
      throw ValidationError("There is no page \(page). qwinkle manual lists the pages.")
    }
    if text { Pager.begin() }
    StandardOutput.show(Array((text ? found.plainText : markdown ? found.markdown : found.source).utf8))
  }
}
