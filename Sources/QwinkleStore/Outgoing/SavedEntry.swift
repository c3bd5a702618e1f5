public import FoundationEssentials
public import QwinkleModel

/// An entry in the list of all that an account has saved.
public struct SavedEntry: Hashable, Sendable, Identifiable {
  /// Who has an entry open.
  public enum Holder: Hashable, Sendable {
    case nobody
    /// An entry, a chat or the sending in this program.
    case thisProgram
    case otherProgram
  }

  public var entry: OutgoingEntry
  /// A short number for commands. No other entry of the account ever has it; 0 if the entry couldn't be saved.
  public var number: Int
  public var changedAt: Date
  public var holder: Holder

  public var id: String { entry.id }

  /// Whether it is on disk.
  public var isSaved: Bool { number > 0 }

  public init(_ entry: OutgoingEntry, number: Int, changedAt: Date, holder: Holder = .nobody) {
    self.entry = entry
    self.number = number
    self.changedAt = changedAt
    self.holder = holder
  }
}
