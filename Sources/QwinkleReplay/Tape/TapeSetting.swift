/// What `Set` changes.
public enum TapeSetting: Hashable, Sendable {
  /// The time between two keys.
  case typingSpeed(Duration)
  case waitTimeout(Duration)
  case waitPattern(TapePattern)
  /// How much faster than time a recording plays; more than 0.
  case playbackSpeed(Double)
  /// Whether the embedded service greets with qwinks of its own: not unless a tape says so, as its words are not every
  /// tape's.
  case welcome(Bool)
  /// Whether the program is signed in, as it is unless a tape says otherwise.
  case signedIn(Bool)
  /// One of VHS's that means nothing here; the tape has a note about it.
  case withoutEffect(TapeSettingName, String)
}

/// The words that `Set` knows: all of VHS's, and ours behind them.
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

  /// Why it has no effect; nil where it has one.
  var reasonForNoEffect: String? {
    switch self {
    case .typingSpeed, .waitTimeout, .waitPattern, .playbackSpeed, .welcome, .signedIn: nil
    case .shell: "no shell is started"
    case .height, .width: "a screen has rows and columns, not pixels; use Resize"
    case .framerate, .loopOffset: "no frames are filmed"
    case .theme: "the theme is the program's"
    case .cursorBlink: "the cursor does not blink"
    default: "a screen has cells, not pixels"
    }
  }
}
