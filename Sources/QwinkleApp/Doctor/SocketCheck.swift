import LibC
import QwinkleService
import QwinkleWire

/// Finds the socket of the shared timeline for `qwinkle doctor`, and reports its owner and whether it is trusted.
struct SocketCheck {
  private let timeline: SharedTimeline?
  /// Whether the socket was only found, so that the program works without it.
  private let isOptional: Bool
  private let isOff: Bool

  /// - Parameter owner: The account that the user chose, if known.
  init(_ owner: AccountSession.Owner?, paths: Paths) {
    isOff = (try? UserConfig.socket(paths)) == "off"
    if case .shared(let timeline) = owner {
      self.timeline = timeline
      isOptional = !timeline.isNamed
    } else {
      timeline = isOff ? nil : (try? SharedTimeline.usual(paths))
      isOptional = true
    }
  }

  func add(to section: inout DoctorReport.Section) {
    guard let timeline else { return section.add("socket", isOff ? "off in config.toml" : "none") }
    let path = timeline.socket.path
    switch timeline.socket.fault {
    case nil:
      let owner = (try? timeline.socket.owner()).map { Self.name(of: $0) } ?? "an unknown user"
      section.add("socket", "\(path)  of \(owner)  trusted")
    case .missing where isOptional: section.add("socket", "none at \(path)")
    case let fault?: section.add("socket", "\(path)  not used", problem: timeline.sentence(for: fault))
    }
  }

  /// Returns the name of a user, or else the uid.
  private static func name(of user: UInt32) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "user \(user)" }
    return String(cString: name)
  }
}
