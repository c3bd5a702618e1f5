public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<QwinkerCollection> {
  /// The first page of a list of collections.
  public static func collections(_ name: CollectionListName, limit: Int) -> Request {
    let path =
      switch name {
      case .by(let id): "\(RequestPath.account(id))/collections"
      case .featuring(let id): "\(RequestPath.account(id))/in_collections"
      }
    return page(at: .path("\(path)?limit=\(limit)"))
  }

  /// The page of a list of collections at `cursor`, which an earlier page returned.
  public static func collectionsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of collections", at: place, decode: WireDecoder.collections)
  }
}
