import PaneKit
import QwinkleModel
import Terminal

@testable import QwinkleScreens

/// Records calls to the main screen.
@MainActor
final class RecordingNavigator: Navigator {
  private(set) var places: [Place] = []
  private(set) var entries: [EntryPurpose] = []
  private(set) var words: [String] = []
  private(set) var copied: [String] = []
  private(set) var hasQuit = false
  private(set) var questions: [String] = []

  func show(_ place: Place) { places.append(place) }
  func show(_ place: Place, insteadOf screen: any QwinkleScreens.Screen) { show(place) }
  func show(qwinkWith id: Qwink.ID) {}
  func find(
    _ foreign: Qwink, on screen: any QwinkleScreens.Screen, then act: @escaping @MainActor (Qwink) -> Void
  ) {}
  func open(_ link: TextLink, in screen: any QwinkleScreens.Screen) {}
  func quit() { hasQuit = true }
  func whileHere() -> @MainActor () -> Bool { { true } }
  func selectionDidChange(in screen: any QwinkleScreens.Screen) {}
  func write(_ purpose: EntryPurpose) { entries.append(purpose) }
  func reopen(_ discarded: DiscardedEntry) {}
  func report(_ notice: Notice) { words.append(notice.text) }
  func wordsMayHaveChanged() {}
  func copy(_ text: String) { copied.append(text) }
  func copy(_ address: String, after sentence: String) {
    copied.append(address)
    words.append(sentence)
  }
  func ask(_ question: String, again: Character?, confirmed: @escaping @MainActor () -> Void) {
    questions.append(question)
    confirmed()
  }
  func perform(_ command: LayoutCommand) {}
  func type(_ line: String, hint: String) {}
  func detailDidOpenOrClose() {}
  func statusDidChange(of screen: any QwinkleScreens.Screen) {}
}

/// A browser that records addresses or fails.
@MainActor
final class RecordingOpener: URLOpener {
  private(set) var opened: [String] = []
  var failure: URLOpenerError?

  /// The program in which each address was opened.
  private(set) var programs: [OutsideProgram] = []

  func open(_ address: WebAddress, in program: OutsideProgram) throws(URLOpenerError) {
    if let failure { throw failure }
    opened.append(address.target)
    programs.append(program)
  }
}
