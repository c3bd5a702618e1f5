public import FoundationEssentials
public import QwinkleModel

/// A draft in the list of an account's saved drafts.
public struct SavedEntry: Hashable, Sendable, Identifiable {
  /// The program that has an entry open, if any.
  public enum Holder: Hashable, Sendable {
    case nobody
    /// Open in an entry pane or chat of this program, or being sent by it.
    case thisProgram
    case otherProgram
  }

  public var entry: OutgoingEntry
  /// A short number that identifies the draft in commands, never reused within the account. Zero if the newest state of
  /// the entry couldn't be saved.
  public var number: Int
  public var changedAt: Date
  public var holder: Holder

  public var id: String { entry.id }

  /// Whether the newest state of the entry is on disk.
  public var isSaved: Bool { number > 0 }

  public init(_ entry: OutgoingEntry, number: Int, changedAt: Date, holder: Holder = .nobody) {
    self.entry = entry
    self.number = number
    self.changedAt = changedAt
    self.holder = holder
  }
}
