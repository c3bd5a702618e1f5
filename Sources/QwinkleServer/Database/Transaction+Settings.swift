import GRDB
import QwinkleModel
import QwinkleWire

/// An account's defaults for new posts.
struct PostingSettings {
  var visibility: Visibility
  var isSensitive: Bool
  var language: String?
  var quotePolicy: QuotePolicy
}

/// Changes to a profile. Nil leaves a value unchanged.
struct ProfileChange {
  var displayName: String?
  var note: String?
  var isBot: Bool?
  var isLocked: Bool?
  var isDiscoverable: Bool?
  var isIndexable: Bool?
  var hidesFollows: Bool?
  var fields: [AccountSource.Field]?
  var visibility: Visibility?
  var isSensitive: Bool?
  /// An empty string removes the language.
  var language: String?
  var quotePolicy: QuotePolicy?
}

extension Transaction {
  func postingSettings(of account: Int64) throws -> PostingSettings {
    let row = try row(
      "SELECT usual_visibility, usually_sensitive, usual_language, usual_quote_policy FROM accounts WHERE id = ?",
      [account])
    guard let row else { throw Refusal.notFound }
    return PostingSettings(
      visibility: VisibilityCode.visibility(row[0]), isSensitive: row[1], language: row[2],
      quotePolicy: QuotePolicyCode.policy(row[3]))
  }

  /// Returns an account's profile texts as its owner typed them, with its defaults for new posts.
  func source(ofAccount account: Int64) throws -> AccountSource {
    let settings = try postingSettings(of: account)
    guard let row = try row("SELECT note, fields FROM accounts WHERE id = ?", [account]) else { throw Refusal.notFound }
    var source = AccountSource(
      note: row[0], visibility: settings.visibility, isSensitive: settings.isSensitive, language: settings.language,
      fields: ProfileFields.read(row[1]), followRequestsCount: try requestsCount(to: account))
    source.quotePolicy = settings.quotePolicy
    source.role = try accountRole(of: account)
    return source
  }

  /// Updates an account's profile and settings. Unlocking the account accepts all pending follow requests.
  func updateAccount(_ id: Int64, _ change: ProfileChange) throws {
    try run(
      """
      UPDATE accounts SET display_name = coalesce(?, display_name), note = coalesce(?, note),
        is_bot = coalesce(?, is_bot), is_locked = coalesce(?, is_locked),
        is_discoverable = coalesce(?, is_discoverable), is_indexable = coalesce(?, is_indexable),
        hides_follows = coalesce(?, hides_follows), fields = coalesce(?, fields),
        usual_visibility = coalesce(?, usual_visibility), usually_sensitive = coalesce(?, usually_sensitive),
        usual_language = nullif(coalesce(?, usual_language), ''),
        usual_quote_policy = coalesce(?, usual_quote_policy) WHERE id = ?
      """,
      [
        change.displayName, change.note, change.isBot, change.isLocked, change.isDiscoverable, change.isIndexable,
        change.hidesFollows, change.fields.map(ProfileFields.text),
        change.visibility.map(VisibilityCode.code), change.isSensitive, change.language,
        change.quotePolicy.map(QuotePolicyCode.code), id,
      ])
    if change.isLocked == false { try acceptRequests() }
  }
}

/// Profile fields as stored: a JSON list of names and values.
enum ProfileFields {
  static func text(_ fields: [AccountSource.Field]) -> String {
    SmallJSON.text(fields.map { [$0.name, $0.value] })
  }

  static func read(_ text: String) -> [AccountSource.Field] {
    SmallJSON.lists(text).compactMap { $0.count == 2 ? AccountSource.Field(name: $0[0], value: $0[1]) : nil }
  }
}
