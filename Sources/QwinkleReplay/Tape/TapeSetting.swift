public import Terminal

/// A setting changed by `Set`.
public enum TapeSetting: Hashable, Sendable {
  /// Interval between two keys.
  case typingSpeed(Duration)
  case waitTimeout(Duration)
  case waitPattern(TapePattern)
  /// Playback speed relative to real time; more than 0.
  case playbackSpeed(Double)
  /// Whether the embedded service posts its welcome qwinks. Off by default, so that tapes don't depend on their text.
  case welcome(Bool)
  /// Whether the program is signed in; on by default.
  case signedIn(Bool)
  /// The names of additional accounts on the embedded service that the program can switch to.
  case accounts([String])
  /// The cell size that the terminal reports.
  case cellSize(CellSize)
  /// The background that the terminal reports.
  case background(TerminalBackground)
  /// A VHS setting that has no effect in Qwinkle. The parser adds a note about it to the tape.
  case withoutEffect(TapeSettingName, String)
}

/// The setting names for `Set`: VHS's names, then additions.
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

  /// The reason that the setting has no effect; nil if it has an effect.
  var reasonForNoEffect: String? {
    switch self {
    case .typingSpeed, .waitTimeout, .waitPattern, .playbackSpeed, .welcome, .signedIn, .accounts,
      .cellSize, .background:
      nil
    case .shell: "Qwinkle starts no shell"
    case .height, .width: "a screen has rows and columns, not pixels; use Resize"
    case .framerate, .loopOffset: "Qwinkle records no frames"
    case .theme: "the program chooses the theme"
    case .cursorBlink: "the cursor does not blink"
    default: "a screen has cells, not pixels"
    }
  }
}
