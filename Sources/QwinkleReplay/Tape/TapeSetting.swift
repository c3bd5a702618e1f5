public import Terminal

/// What `Set` changes.
public enum TapeSetting: Hashable, Sendable {
  /// The time between two keys.
  case typingSpeed(Duration)
  case waitTimeout(Duration)
  case waitPattern(TapePattern)
  /// Playback speed relative to real time; more than 0.
  case playbackSpeed(Double)
  /// Whether the embedded service posts its welcome qwinks. Off by default, so that tapes don't depend on their text.
  case welcome(Bool)
  /// Whether the program is signed in; on by default.
  case signedIn(Bool)
  /// The names of more accounts on the embedded service that the program can switch to.
  case accounts([String])
  /// How large the terminal says that its cells are.
  case cellSize(CellSize)
  /// What the terminal says that it draws on.
  case background(TerminalBackground)
  /// A VHS setting without effect here, which the tape has a note about.
  case withoutEffect(TapeSettingName, String)
}

/// The names that `Set` takes: VHS's, then ours.
public enum TapeSettingName: String, CaseIterable, Sendable {
  case shell = "Shell"
  case fontSize = "FontSize"
  case fontFamily = "FontFamily"
  case height = "Height"
  case width = "Width"
  case letterSpacing = "LetterSpacing"
  case lineHeight = "LineHeight"
  case typingSpeed = "TypingSpeed"
  case theme = "Theme"
  case padding = "Padding"
  case margin = "Margin"
  case marginFill = "MarginFill"
  case borderRadius = "BorderRadius"
  case windowBar = "WindowBar"
  case windowBarSize = "WindowBarSize"
  case framerate = "Framerate"
  case playbackSpeed = "PlaybackSpeed"
  case loopOffset = "LoopOffset"
  case cursorBlink = "CursorBlink"
  case waitTimeout = "WaitTimeout"
  case waitPattern = "WaitPattern"
  case welcome = "Welcome"
  case signedIn = "SignedIn"
  case accounts = "Accounts"
  case cellSize = "CellSize"
  case background = "Background"

  /// Why it has no effect; nil if it has one.
  var reasonForNoEffect: String? {
    switch self {
    case .typingSpeed, .waitTimeout, .waitPattern, .playbackSpeed, .welcome, .signedIn, .accounts,
      .cellSize, .background:
      nil
    case .shell: "Qwinkle starts no shell"
    case .height, .width: "a screen has rows and columns, not pixels; use Resize"
    case .framerate, .loopOffset: "Qwinkle records no frames"
    case .theme: "the theme comes from the program"
    case .cursorBlink: "the cursor does not blink"
    default: "a screen has cells, not pixels"
    }
  }
}
