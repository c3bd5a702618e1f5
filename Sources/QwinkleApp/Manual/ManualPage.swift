/// A page of the manual: headings, text, lists and examples, which can be printed in several formats.
struct ManualPage {
  /// A term, such as an option or a key, and its meaning.
  struct Entry: Hashable {
    var term: String
    var meaning: String
  }

  enum Block: Hashable {
    /// A section, such as `Description`.
    case heading(String)
    case subheading(String)
    /// The forms of a command line. Each begins with the command's name.
    case forms([String])
    /// Paragraphs, separated by empty lines.
    case text(String)
    case entries([Entry])
    /// Lines to print verbatim, such as shell commands.
    case example(String)
    /// File names of other pages.
    case references([String])
  }

  let name: String
  /// 1 for commands, 5 for files, 8 for servers.
  let section: Int
  let summary: String
  private(set) var blocks: [Block] = []

  /// File name, such as `qwinkle.1`.
  var file: String { "\(name).\(section)" }

  init(_ name: String, _ section: Int, summary: String) {
    self.name = name
    self.section = section
    self.summary = summary
  }

  mutating func add(heading: String) { blocks.append(.heading(heading)) }

  mutating func add(subheading: String) { blocks.append(.subheading(subheading)) }

  mutating func add(forms: [String]) { blocks.append(.forms(forms)) }

  /// Adds paragraphs. Empty lines in `text` separate them.
  mutating func add(_ text: String) { blocks.append(.text(text)) }

  /// Adds a list of terms and their meanings.
  mutating func add(_ entries: [Entry]) {
    if !entries.isEmpty { blocks.append(.entries(entries)) }
  }

  mutating func add(example: String) { blocks.append(.example(example)) }

  mutating func add(_ examples: [ManualExamples.Example]) {
    for example in examples {
      add(example.about)
      add(example: example.lines)
    }
  }

  /// Adds references to other pages, given by their file names.
  mutating func add(seeAlso files: [String]) {
    add(heading: "See also")
    blocks.append(.references(files.sorted { ($0.suffix(1), $0) < ($1.suffix(1), $1) }))
  }
}
