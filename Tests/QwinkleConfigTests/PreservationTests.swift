import Testing

@testable import QwinkleConfig

/// The option `preserve`.
@Suite struct PreservationTests {
  private let option = ConfigKey.preserve.option

  @Test func `listed kinds have the given priority, all others the standard one`() {
    let preservation = Preservation(["avatars=2", "bookmarks=10", "rubbish"])
    #expect(preservation[.avatars] == 2 && preservation[.bookmarks] == 10)
    for kind in ResourceKind.allCases where kind != .avatars && kind != .bookmarks {
      #expect(preservation[kind] == kind.standardPriority)
    }
  }

  @Test(arguments: [
    ["avatars"], ["avatars="], ["avatars=11"], ["avatars=-1"], ["avatars=1=2"], ["avatar=3"], ["=3"], ["avatars=+3"],
    ["avatars=1", "avatars=2"], ["avatars=3", "things=1"],
  ])
  func `a wrong list is refused`(items: [String]) {
    #expect(!option.allows(.list(items)))
    #expect(option.refusal(of: .list(items)) != nil)
  }

  @Test func `all kinds and an empty list are valid`() {
    #expect(option.allows(.list([])))
    #expect(option.allows(.list(ResourceKind.allCases.map { "\($0.rawValue)=0" })))
    #expect(option.value(typed: "avatars=9 own-avatar=10") == .list(["avatars=9", "own-avatar=10"]))
    #expect(option.value(typed: "none") == .list([]))
    #expect(option.value(typed: "avatars=99") == nil)
  }

  @Test func `a misspelt kind and a priority out of range are corrected`() throws {
    let misspelt = try #require(option.refusal(of: .list(["avatar=3"])))
    #expect(misspelt.contains("\"avatars=3\""), "\(misspelt)")
    let high = try #require(option.refusal(of: .list(["emoji=12"])))
    #expect(high.contains("\"emoji=10\""), "\(high)")
  }

  @Test func `the file's problem names the line of the list`() {
    let reader = ConfigReader("metered = true\npreserve = [\"avatars=12\"]\n")
    #expect(reader.problems.count == 1)
    #expect(reader.problems.first.map { $0.words(in: "config.toml") }?.contains(":2:") == true)
    #expect(ConfigReader("preserve = [\"avatars=1\"]\n").config[.preserve] == .list(["avatars=1"]))
  }
}
