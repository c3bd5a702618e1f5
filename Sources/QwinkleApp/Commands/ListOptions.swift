import ArgumentParser

/// Options for printing lists.
struct ListOptions: ParsableArguments {
  @Option(help: "How many, 1 to 40.")
  var limit = 20

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  func validate() throws {
    guard (1...40).contains(limit) else { throw ValidationError("--limit must be from 1 to 40, not \(limit).") }
  }
}
