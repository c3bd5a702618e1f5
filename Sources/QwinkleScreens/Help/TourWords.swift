import PaneKit
import QwinkleModel

/// The timeline that the tour introduces.
public enum TourPlace: Hashable, Sendable {
  /// An account of a server.
  case account
  /// The embedded server, which only the user reads.
  case machine
  /// The timeline that the users of this host share. `name` is the user's account, such as `anna@tilde`.
  case host(name: String)
  /// A server without an account.
  case visitor(server: String)

  fileprivate var signsIn: String {
    if case .visitor = self { "signs in, to write and follow" } else { "signs in, to meet other people" }
  }

  fileprivate var finds: String {
    self == .machine ? "finds posts and hashtags" : "finds users, posts and hashtags"
  }
}

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

  static func pages(isSignedIn: Bool, in place: TourPlace) -> [[Line]] {
    introduction(to: place) + [
      [
        Line(actions: [.listNext, .listPrevious], words: "move through the list"),
        Line(actions: [.open], words: "opens the thread"),
        Line(actions: [.back], words: "goes back, and quits at the start"),
        Line(actions: [], words: "All other keys work as usual."),
      ]
    ] + (isSignedIn ? [writing] : []) + [
      [
        Line(
          actions: isSignedIn ? [.sectionPublic, .sectionHome, .sectionMessages] : [.sectionPublic, .sectionSearch],
          words: "and more digits: sections"),
        Line(actions: [.refresh], words: "fetches what is new"),
        Line(actions: [.command], words: "is the command line"),
        Line(actions: [.help], words: "lists all keys"),
      ]
    ]
  }

  private static var writing: [Line] {
    [
      Line(actions: [.compose], words: "writes; closing saves a draft"),
      Line(actions: [.reply], words: "replies"),
      Line(actions: Reaction.allCases.map(\.action), words: "boost, favourite, bookmark"),
      Line(actions: [.undo], words: "undoes the last of these"),
    ]
  }

  /// Returns a page about the visible timeline, or none for an account of a server, where the user knows it.
  private static func introduction(to place: TourPlace) -> [[Line]] {
    let about: String
    switch place {
    case .account: return []
    case .machine: about = "This is your own timeline, on this machine only."
    case .host(let name): about = "You are \(name). All users of this host read and post here."
    case .visitor(let server): about = "These are the public posts of \(server)."
    }
    return [
      [
        Line(actions: [], words: about),
        Line(actions: [.signIn], words: place.signsIn),
        Line(actions: [.sectionSearch], words: place.finds),
      ]
    ]
  }
}
