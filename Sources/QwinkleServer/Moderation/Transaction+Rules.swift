import GRDB
import QwinkleModel
import SafeText

extension Transaction {
  /// Returns the server's rules: the rules of the option `--rules` if it was given, otherwise the stored rules.
  func rules() throws -> [ServerRule] { try terms.numberedRules ?? storedRules() }

  /// Returns the text of the rule with this id, if it exists.
  func rule(_ id: Int64) throws -> String? { try rules().first { $0.id.rawValue == String(id) }?.text }

  func storedRules() throws -> [ServerRule] {
    try rows("SELECT id, text FROM rules ORDER BY id").map {
      ServerRule(id: .init(String($0[0] as Int64)), text: SafeText.line($0[1]))
    }
  }

  /// Adds a rule and returns its id.
  func addRule(_ text: String, by actor: AuditActor) throws -> String {
    guard try storedRules().count < ServiceTerms.mostRules else {
      throw ServiceError.tooManyRules(most: ServiceTerms.mostRules)
    }
    try run("INSERT INTO rules (text) VALUES (?)", [text])
    let id = String(db.lastInsertedRowID)
    try audit(.addRule, id, reason: text, by: actor)
    return id
  }

  /// Changes the text of a rule, or removes the rule if `text` is nil.
  func changeRule(_ id: String, to text: String?, by actor: AuditActor) throws {
    if let text, try storedRules().contains(where: { $0.id.rawValue == id && $0.text == text }) { return }
    if let text {
      try run("UPDATE rules SET text = ? WHERE id = ?", [text, Int64(id)])
    } else {
      try run("DELETE FROM rules WHERE id = ?", [Int64(id)])
    }
    guard db.changesCount > 0 else { throw ServiceError.noSuchRule(id) }
    try audit(text == nil ? .removeRule : .editRule, id, reason: text ?? "", by: actor)
  }
}
