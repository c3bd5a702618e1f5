import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == [PersonalList] {
  /// The user's lists.
  public static var lists: Request {
    Request("download of lists", .get, "/api/v1/lists", decode: WireDecoder.lists)
      .needing(.lists)
  }
}

extension Request where Answer == PersonalList {
  /// Creates a list. The id of `list` is ignored.
  public static func createList(_ list: PersonalList) -> Request {
    Request("creating a list", .post, "/api/v1/lists", json: WireEncoder.newList(list), decode: WireDecoder.list)
      .needing(.lists)
  }

  /// Changes a list.
  public static func changeList(_ list: PersonalList) -> Request {
    Request(
      "changing a list", .put, RequestPath.list(list.id), json: WireEncoder.newList(list), decode: WireDecoder.list)
  }
}

extension Request where Answer == Void {
  /// Deletes a list.
  public static func deleteList(_ id: PersonalList.ID) -> Request {
    Request("deleting a list", .delete, RequestPath.list(id))
  }

  /// Adds accounts to a list, or removes them if `isOn` is false. The user must follow accounts that are added.
  public static func setMembers(_ ids: [Qwinker.ID], of list: PersonalList.ID, isOn: Bool) -> Request {
    Request(
      "changing a list", isOn ? .post : .delete, "\(RequestPath.list(list))/accounts",
      json: WireEncoder.accountIDs(ids))
  }
}
