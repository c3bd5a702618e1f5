import Foundation
import QwinkleWire
import TerminalTesting
import Testing

/// Every screen while the network fails in every way: keys are answered, the state is told, and it recovers.
@Suite struct LinkConditionTests {
  private static let sections = Soak.isOn ? ["1", "2", "3", "4", "5", "6"] : ["1", "3", "6"]

  /// A tape on which one section lives through one fault. No time passes between a key and its answer there: that is what
  /// virtual time is.
  private static func tape(_ condition: LinkCondition, _ section: String) -> String {
    """
    Resize 100x30
    Set TypingSpeed 0ms
    Serve bob posts "Before the fault."
    Serve bob messages "A message before the fault."
    Type "R"
    Type "\(section)"
    \(section == "6" ? "Escape" : "")
    Sleep 1s
    Net \(condition.rawValue)
    Type "R"
    Type "?"
    Expect /1–/
    Type "q"
    Refuse /q back  j k scroll/
    Type "jk"
    Sleep 2m
    \(tellsFault(condition) && section == "1" ? "Expect /offline since|Next try|R now/" : "")
    Net off
    Sleep 10m
    Serve bob posts "After the fault."
    Type "R"
    Sleep 1s
    Refuse /offline since/
    Type "1"
    Sleep 1s
    Type "gg"
    Expect /After the fault/
    Snapshot end
    """
  }

  /// Whether nothing comes through at all.
  private static func tellsFault(_ condition: LinkCondition) -> Bool {
    // Of a page that was cut off, what is whole is read.
    [.loss, .dns, .reset].contains(condition)
  }

  @Test func `keys are answered, the state is told, and it recovers`() async throws {
    try await Program.inNewHome { program in
      for condition in LinkCondition.allCases {
        var tapes: [String] = []
        for section in Self.sections {
          let name = "\(condition.rawValue)-\(section).tape"
          try program.write(Self.tape(condition, section).utf8, to: name)
          tapes.append(name)
        }
        let outcome = try await program.run(["replay", "--update"] + tapes)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      print("\(LinkCondition.allCases.count) conditions on \(Self.sections.count) screens")
    }
  }
}
