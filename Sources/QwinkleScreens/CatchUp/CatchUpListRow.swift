import QwinkleModel

/// A row of the list of a catch-up: a post or a link, with the heading above it. A heading isn't a separate row, so
/// that each step of the selection reaches a post.
struct CatchUpListRow: Hashable, Identifiable {
  let row: CatchUpRow
  /// The title of this row and the rows below it, if they begin a group.
  let heading: CatchUpRow.Heading?

  var id: CatchUpRow.ID { row.id }

  /// Identifies the row in the next run.
  var key: String {
    switch row {
    case .heading: ""
    case .qwink(let post): Self.key(post.rowID)
    case .link(let link): link.url
    }
  }

  /// The rows of the timeline that this row represents.
  var rowIDs: [Qwink.RowID] {
    switch row {
    case .heading: []
    case .qwink(let post): post.rowIDs
    case .link(let link): link.rowIDs
    }
  }

  var link: CatchUpRow.Link? { if case .link(let link) = row { link } else { nil } }

  /// Whether both rows represent the same post. The row of a post can change when older posts arrive.
  func isSamePost(as other: CatchUpListRow) -> Bool { rowIDs.contains { other.rowIDs.contains($0) } }

  private static func key(_ row: Qwink.RowID) -> String {
    row.status.rawValue + TimelineViewController.placeSeparator + (row.booster?.rawValue ?? "")
  }

  /// Returns the rows with each heading joined to the row below it.
  static func rows(_ rows: [CatchUpRow]) -> [CatchUpListRow] {
    var heading: CatchUpRow.Heading?
    var joined: [CatchUpListRow] = []
    joined.reserveCapacity(rows.count)
    for row in rows {
      if case .heading(let next) = row {
        heading = next
      } else {
        joined.append(CatchUpListRow(row: row, heading: heading))
        heading = nil
      }
    }
    return joined
  }
}
