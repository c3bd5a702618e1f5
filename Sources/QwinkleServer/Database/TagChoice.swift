import GRDB

/// Selects statuses with at least one tag of `any`, every tag of `all` and no tag of `none`. The tag names must be
/// folded with ``TagName/folded(_:)``.
struct TagChoice {
  var any: [String]
  var all: [String] = []
  var none: [String] = []
  var onlyMedia = false

  /// Maximum number of statuses searched per tag of `any` for one page.
  private static let mostOfEach = 10_000

  var isSingle: Bool { any.count == 1 && all.isEmpty && none.isEmpty }

  /// Returns a query for the keys (``ListKey``) of the selected public statuses. `listed` is the SQL condition that the
  /// viewer's timelines show the status `s`.
  func query(_ range: PageRequest.Range, _ limit: Int, listed: SQL) -> SQL {
    """
    SELECT s.id, s.id FROM
      (SELECT DISTINCT x.status_id AS id FROM json_each(\(SmallJSON.text(any))) wanted
       CROSS JOIN status_tags x ON x.tag = wanted.value AND x.status_id IN
         (SELECT n.status_id FROM status_tags n WHERE n.tag = wanted.value AND \(range.holds("n.status_id"))
          \(range.first(Self.mostOfEach, by: "n.status_id")))) t
      CROSS JOIN statuses s ON s.id = t.id
    WHERE s.visibility = \(VisibilityCode.public) AND (NOT \(onlyMedia) OR s.media_count > 0) AND \(listed)
    AND NOT EXISTS (SELECT 1 FROM json_each(\(SmallJSON.text(all))) wanted WHERE NOT EXISTS
      (SELECT 1 FROM status_tags x WHERE x.tag = wanted.value AND x.status_id = s.id))
    AND NOT EXISTS (SELECT 1 FROM status_tags x
      WHERE x.status_id = s.id AND x.tag IN (SELECT value FROM json_each(\(SmallJSON.text(none)))))
    \(range.first(limit, by: "s.id"))
    """
  }
}
