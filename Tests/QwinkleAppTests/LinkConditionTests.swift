import Foundation
import QwinkleWire
import TerminalTesting
import Testing

/// Every screen with every network failure: keys work, the state is shown, and the screen recovers automatically and on
/// request.
@Suite(.bounded) struct LinkConditionTests {
  /// All sections in a soak, otherwise three random ones.
  private static let sections: [Int] = {
    var random = SplitMix(seed: Soak.seed)
    return Soak.isOn ? Array(1...6) : (1...6).shuffled(using: &random).prefix(3).sorted()
  }()

  /// Messages on the screen while a section has no response or a bad one.
  private static let complaints =
    "offline since|does not respond|Unknown host|Connection to|Too many requests|cannot be reached|Unreadable"

  /// Returns the texts that a condition shows, first and later. Both are nil if the condition delays nothing on the
  /// screen.
  private static func words(for condition: LinkCondition, in section: Int) -> (soon: String?, then: String?) {
    // The spinner, which is shown during fetches.
    let turning = "[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]"
    return switch condition {
    case .off, .close: (nil, nil)
    // There are no bookmarks, so the response is short enough for any connection.
    case .slow where section == 5: (nil, nil)
    case .slow, .latency: (turning, nil)
    case .loss: (turning, "does not respond")
    case .dns: (turning, "Unknown host")
    case .reset: (nil, "Connection to")
    case .tooManyRequests: (nil, "Too many requests")
    case .flapping: (nil, "cannot be reached")
    // The complete qwinks of a truncated page are shown.
    case .truncated: (nil, [3, 4, 6].contains(section) ? "Unreadable response" : nil)
    }
  }

  /// Returns a tape with one section and one condition. In virtual time, no time passes between a key and its effect.
  private static func tape(_ condition: LinkCondition, _ section: Int, asking: Bool) -> String {
    let (soon, then) = words(for: condition, in: section)
    var lines = [
      "Set Welcome on", "Resize 110x30", "Set TypingSpeed 0ms", "Serve bob posts \"Before the fault.\"",
      "Serve bob messages \"A message before the fault.\"", "Type \"R\(section)\"",
    ]
    if section == 6 { lines += ["Type \"Before\"", "Enter", "Sleep 1s"] }
    lines += ["Sleep 1s", "Refuse /\(complaints)/", "Net \(condition.rawValue)", "Type \"R\"", "Advance 300ms"]
    if let soon { lines.append("Expect+Line 1 /\(soon)/") }
    lines += ["Type \"?\"", "Expect /1–/", "Type \"q\"", "Refuse /q back  j k scroll/", "Type \"jk\""]
    if let then { lines.append("Wait+Screen@2m /\(then)/") }
    lines += ["Net off", "Serve bob posts \"After the fault, before the fair.\""]
    // No request is sent before the time that the server has named.
    if condition == .tooManyRequests { lines.append("Sleep 31s") }
    lines += asking ? ["Type \"R\"", "Sleep 1s"] : ["Sleep 10m"]
    lines += ["Refuse /\(complaints)/", "Type \"1\"", "Type \"gg\"", "Expect /After the fault/"]
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func `every screen responds to keys, shows the fault and recovers`() async throws {
    try await Program.inNewHome { program in
      var count = 0
      for condition in LinkCondition.allCases {
        var tapes: [String] = []
        for section in Self.sections {
          // Only the user repeats a search.
          for asking in section == 6 ? [true] : [true, false] {
            let name = "\(condition.rawValue)-\(section)-\(asking ? "asking" : "waiting").tape"
            try program.write(Self.tape(condition, section, asking: asking).utf8, to: name)
            tapes.append(name)
          }
        }
        let outcome = try await program.run(["replay"] + tapes, patience: .seconds(240))
        #expect(outcome.status == 0, "seed \(Soak.seed): \(outcome.errors)")
        count += tapes.count
      }
      print("\(LinkCondition.allCases.count) conditions on \(Self.sections.count) screens: \(count) tapes")
    }
  }
}
