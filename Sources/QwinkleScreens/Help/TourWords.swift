import PaneKit
import QwinkleModel

/// The texts of the tour.
enum TourWords {
  /// Keys and a description of their actions.
  struct Line: Hashable {
    let actions: [Action]
    let words: String
  }

  static let title = "A short tour"
  static let goesOn = "Space: next"
  static let ends = "Space: begin"

  /// The key contexts of the tour's actions.
  static let contexts: [KeyContext] = [.list, .qwink, .global, .always]

  static func pages(isSignedIn: Bool) -> [[Line]] {
    [
      [
        Line(actions: [.listNext, .listPrevious], words: "move through the list"),
        Line(actions: [.open], words: "opens the thread"),
        Line(actions: [.back], words: "goes back, and quits at the start"),
        Line(actions: [], words: "All other keys work as usual."),
      ],
      isSignedIn
        ? [
          Line(actions: [.compose], words: "writes; closing saves a draft"),
          Line(actions: [.reply], words: "replies"),
          Line(actions: Reaction.allCases.map(\.action), words: "boost, favourite, bookmark"),
          Line(actions: [.undo], words: "undoes the last of these"),
        ]
        : [
          Line(actions: [.sectionPublic], words: "everyone's qwinks here"),
          Line(actions: [.signIn], words: "signs in, to write and follow"),
        ],
      [
        Line(
          actions: isSignedIn ? [.sectionPublic, .sectionHome, .sectionMessages] : [.sectionPublic, .sectionSearch],
          words: "and more digits: sections"),
        Line(actions: [.refresh], words: "fetches what is new"),
        Line(actions: [.command], words: "is the command line"),
        Line(actions: [.help], words: "lists all keys"),
      ],
    ]
  }
}
