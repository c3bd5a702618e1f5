import SafeText
import Terminal

/// How a terminal calls the attention of somebody who looks elsewhere.
enum AttentionCall {
  /// Rings, or whatever the user has set for that.
  case bell
  /// A notification of the desktop, as iTerm2 made it: `OSC 9 ; text`.
  case osc9
  /// The same as rxvt made it: `OSC 777 ; notify ; title ; text`.
  case osc777
  /// The same and the bell, as nobody knows whether this terminal understands it.
  case osc777AndBell

  /// Longer texts are cut.
  private static let maximumColumns = 120
  private static let title = "Qwinkle"
  private static let ring: UInt8 = 0x07

  /// That of a terminal. Inside tmux and screen only the bell passes.
  init(_ environment: TerminalEnvironment) {
    func isOne(of names: String...) -> Bool {
      names.contains { environment.kind.contains($0) || environment.program == $0 }
    }
    if !TerminalKind.isLikeXterm(environment.kind) {
      self = .bell
    } else if isOne(of: "kitty", "ghostty", "iterm", "wezterm") {
      self = .osc9
    } else {
      self = isOne(of: "foot", "rxvt") ? .osc777 : .osc777AndBell
    }
  }

  /// What to send, through the filter: `text` as a notification if there is one, else the bell.
  func bytes(saying text: String?) -> [UInt8] {
    guard let text, self != .bell else { return [Self.ring] }
    // A semicolon would begin the next field.
    let line = DisplayWidth.truncated(SafeText.line(text), to: Self.maximumColumns).replacing(";", with: ",")
    let content = self == .osc9 ? "9;\(Self.title): \(line)" : "777;notify;\(Self.title);\(line)"
    return Array("\u{1B}]\(content)\u{1B}\\".utf8) + (self == .osc777AndBell ? [Self.ring] : [])
  }
}
