import FoundationEssentials
import QwinkleModel
import QwinkleWire

/// The parameters of a registration, and the faults found in them.
struct Registration: Sendable {
  /// A fault in a field. Codes are Mastodon's: <https://docs.joinmastodon.org/methods/accounts/#create>.
  struct Fault: Sendable {
    var field: String
    var code: String
    /// The description without the field's name, such as "can't be blank".
    var words: String
  }

  /// In lower case. Empty if the name that the client sent is invalid.
  var name: String
  var password: String
  var faults: [Fault]

  /// Reads `username`, `password`, `email` and `agreement`. The e-mail address is checked but not stored, because the
  /// service sends no mail.
  init(_ sent: RequestParameters) throws(ParameterFault) {
    let given = try sent.text("username") ?? ""
    name = AccountName.valid(given) ?? ""
    password = try sent.text("password") ?? ""
    faults = []
    if isBlank(given) {
      add("username", "ERR_BLANK", "can't be blank")
    } else if given.count > AccountName.mostCharacters {
      add("username", "ERR_TOO_LONG", "is too long: at most \(AccountName.mostCharacters) characters")
    } else if name.isEmpty {
      add("username", "ERR_INVALID", "must be letters a–z, digits and underscores")
    }
    let email = try sent.text("email") ?? ""
    let parts = email.split(separator: "@", omittingEmptySubsequences: false)
    if !email.isEmpty, parts.count != 2 || parts.contains("") || email.contains(where: \.isWhitespace) {
      add("email", "ERR_INVALID", "is not an e-mail address")
    }
    if password.isEmpty {
      add("password", "ERR_BLANK", "can't be blank")
    } else {
      do {
        try PasswordRule.check(password)
      } catch {
        let isShort = password.count < PasswordRule.fewestCharacters
        let isLong = password.utf8.count > PasswordRule.mostBytes
        add(
          "password", isShort ? "ERR_TOO_SHORT" : isLong ? "ERR_TOO_LONG" : "ERR_INVALID",
          isShort
            ? "is too short: at least \(PasswordRule.fewestCharacters) characters"
            : isLong ? "is too long" : "has control characters")
      }
    }
    if try sent.flag("agreement") != true { add("agreement", "ERR_ACCEPTED", "must be accepted") }
  }

  private mutating func add(_ field: String, _ code: String, _ words: String) {
    faults.append(Fault(field: field, code: code, words: words))
  }

  mutating func nameIsTaken() { add("username", "ERR_TAKEN", "is already taken") }

  /// The error message in Mastodon's format.
  var sentence: String {
    let names = ["username": "Username", "email": "Email", "password": "Password", "agreement": "Agreement"]
    let words = faults.map { "\(names[$0.field] ?? $0.field) \($0.words)" }
    return "Validation failed: \(words.joined(separator: ", "))"
  }

  /// The body of an error response: the message, and `details` with the faults of each field.
  var json: [UInt8] {
    let details = Dictionary(grouping: faults, by: \.field).mapValues {
      $0.map { ["error": $0.code, "description": $0.words] }
    }
    return JSONWriter.bytes {
      $0.object { writer in
        writer.field("error", sentence)
        writer.field("details", json: SmallJSON.bytes(details))
      }
    }
  }
}
