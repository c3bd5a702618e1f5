import SafeText
import Terminal

/// An alert for a user who is looking elsewhere, in a form that the terminal supports.
enum AttentionCall {
  /// The bell, or the terminal's substitute for it.
  case bell
  /// A desktop notification in iTerm2's form: `OSC 9 ; text`.
  case osc9
  /// A desktop notification in rxvt's form: `OSC 777 ; notify ; title ; text`.
  case osc777
  /// `osc777` and the bell, for terminals that may not support notifications.
  case osc777AndBell

  /// Longer texts are truncated.
  private static let maximumColumns = 120
  private static let title = "Qwinkle"
  private static let ring: UInt8 = 0x07

  /// Chooses the form for a terminal. Inside tmux and screen, only the bell reaches the outer terminal.
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

  /// Returns the bytes to send through the ``EscapeSequenceFilter``: a notification with `text`, the bell, or both.
  /// Without `text`, returns the bell.
  func bytes(saying text: String?) -> [UInt8] {
    guard let text, self != .bell else { return [Self.ring] }
    // A semicolon in the text would begin the next field.
    let line = DisplayWidth.truncated(SafeText.line(text), to: Self.maximumColumns).replacing(";", with: ",")
    let content = self == .osc9 ? "9;\(Self.title): \(line)" : "777;notify;\(Self.title);\(line)"
    return Array("\u{1B}]\(content)\u{1B}\\".utf8) + (self == .osc777AndBell ? [Self.ring] : [])
  }
}
