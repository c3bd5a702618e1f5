import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// The words at the top of a qwinker's page, made from the model.
struct QwinkerProfileData: Hashable {
  var qwinker: QwinkerCellData
  /// The relationship to them, `you follow each other`; empty if unknown or none.
  var relationship: String
  /// What the follow key does; nil if nothing.
  var followWord: String?
  /// What keys do with their follow request, if there is one.
  var requestWords: [String: String] = [:]
  /// `120 followers` and the like, with the key that lists them, if any.
  var counts: [Count]
  var note: [[TextRun<StyleRole>]]
  /// The user's own remark about them, which nobody else sees.
  var privateNote: [[TextRun<StyleRole>]] = []
  var fields: [Field]
  /// Where they have moved, `Moved to @bob@example.org`.
  var moved: String?
  /// Their web page, and when they joined.
  var origin: String
  /// Whether all of it is shown, however long.
  var isWhole: Bool

  /// A field of the profile: `Site`, `example.org`.
  struct Field: Hashable {
    var name: String
    var value: [TextRun<StyleRole>]
  }

  /// A count with its noun.
  struct Count: Hashable {
    var words: String
    var key: String?
  }

  /// - Parameter me: the signed-in qwinker; nil if unknown.
  init(
    _ qwinker: Qwinker, relationship: Relationship?, me: Qwinker.ID?, isSignedIn: Bool, isWhole: Bool,
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
    fields = qwinker.fields.map(Self.field)
    let since = qwinker.createdAt.map { QwinkerWords.joined(RelativeTime.monthAndYear($0, in: zone)) }
    origin = [qwinker.url.flatMap { WebAddress($0)?.words }, since].compactMap { $0 }.joined(separator: " · ")
  }

  private static func privateNote(_ text: String) -> [[TextRun<StyleRole>]] {
    let lines = text.split(separator: "\n").map { [TextRun(String($0), StyleRole.text)] }
    guard let first = lines.first else { return [] }
    return [[TextRun("\(QwinkerWords.privateNote)  ", .accent)] + first] + lines.dropFirst()
  }

  private static func field(_ field: Qwinker.Field) -> Field {
    let value = field.value.runs.joined(separator: [TextRun(" ", .text)])
    return Field(name: field.name, value: value + (field.verifiedAt == nil ? [] : [TextRun(" ✓", .new)]))
  }
}
