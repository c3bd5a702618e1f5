import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// The text at the top of a qwinker's page, made from the model.
struct QwinkerProfileData: Hashable {
  var qwinker: QwinkerCellData
  /// The user's relationship to the qwinker, such as `you follow each other`, or `this is you` for the user's own
  /// profile. Empty if unknown or none.
  var relationship: String
  /// The hint for the follow key. Nil if the user isn't signed in, the profile is the user's own, or the relationship
  /// is unknown.
  var followWord: String?
  /// The hints for the keys that answer the qwinker's follow request, by key.
  var requestWords: [String: String] = [:]
  /// Counts such as `120 followers`.
  var counts: [Count]
  var note: [[TextRun<StyleRole>]]
  /// The user's private note about the qwinker.
  var privateNote: [[TextRun<StyleRole>]] = []
  var fields: [Field]
  /// The hashtags on the profile, each with the number of the qwinker's posts.
  var tags: [TextRun<StyleRole>]
  /// The qwinker's new account: `Moved to @bob@example.org`.
  var moved: String?
  /// The address of the qwinker's web page, and the month of joining.
  var origin: String
  /// Whether the whole profile is shown, however long.
  var isWhole: Bool

  /// A field of the profile, such as `Site`, `example.org`.
  struct Field: Hashable {
    var name: String
    var value: [TextRun<StyleRole>]
  }

  /// A count, and the key that opens the list of the counted users, if any.
  struct Count: Hashable {
    var words: String
    var key: String?
  }

  /// - Parameter me: The signed-in qwinker, if known.
  init(
    _ qwinker: Qwinker, tags: [FeaturedTag] = [], relationship: Relationship?, me: Qwinker.ID?, isSignedIn: Bool,
    isWhole: Bool,
    at now: Date = .distantPast, zone: ClockZone
  ) {
    self.qwinker = QwinkerCellData(qwinker)
    self.qwinker.signs = QwinkerWords.signs(of: qwinker, saysMoved: false)
    moved = qwinker.movedTo.map(QwinkerWords.moved)
    let isMe = me == qwinker.id
    let words = relationship.map { relationship in
      let mute = QwinkerWords.mute(relationship, of: qwinker, at: now) { RelativeTime.full($0, in: zone) }
      return QwinkerWords.words(relationship, mute: mute)
    }
    self.relationship = isMe ? QwinkerWords.isMe : words ?? ""
    self.isWhole = isWhole
    if isSignedIn, !isMe, let relationship {
      followWord = relationship.followWord
      privateNote = Self.privateNote(relationship.note)
      if relationship.isAskingToFollow {
        requestWords = [Action.acceptFollow.key: QwinkerWords.accept, Action.refuseFollow.key: QwinkerWords.refuse]
      }
    }
    counts = [
      Count(words: QwinkerWords.followers(qwinker.followersCount), key: Action.followers.key),
      Count(words: QwinkerWords.following(qwinker.followingCount), key: Action.following.key),
      Count(words: QwinkerWords.qwinks(qwinker.qwinksCount)),
    ]
    note = qwinker.note.isEmpty ? [] : qwinker.note.runs
    fields = qwinker.fields.map { Self.field($0, in: zone) }
    self.tags = Array(tags.map(Self.tag).joined(separator: [TextRun("   ", .dim)]))
    let since = qwinker.createdAt.map { QwinkerWords.joined(RelativeTime.monthAndYear($0, in: zone)) }
    origin =
      ([qwinker.url.flatMap { WebAddress($0)?.words }, since].compactMap { $0 }
      + QwinkerWords.traits(of: qwinker, isWhole: isWhole)).joined(separator: " · ")
  }

  private static func privateNote(_ text: String) -> [[TextRun<StyleRole>]] {
    let lines = text.split(separator: "\n").map { [TextRun(String($0), StyleRole.text)] }
    guard let first = lines.first else { return [] }
    return [[TextRun("\(QwinkerWords.privateNote)  ", .accent)] + first] + lines.dropFirst()
  }

  private static func field(_ field: Qwinker.Field, in zone: ClockZone) -> Field {
    let value = field.value.runs.joined(separator: [TextRun(" ", .text)])
    let verified = field.verifiedAt.map { TextRun(" ✓ \(RelativeTime.monthAndYear($0, in: zone))", StyleRole.new) }
    return Field(name: field.name, value: value + (verified.map { [$0] } ?? []))
  }

  private static func tag(_ tag: FeaturedTag) -> [TextRun<StyleRole>] {
    let name = TextRun("#\(tag.name)", StyleRole.tag, link: LinkTarget.tag(name: tag.name).textLink)
    return [name] + (tag.qwinksCount > 0 ? [TextRun(" \(Counted.grouped(tag.qwinksCount))", .dim)] : [])
  }
}
