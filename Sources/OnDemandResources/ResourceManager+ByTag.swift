/// Pausing, resuming and cancelling downloads by tag.
extension ResourceManager {
  /// Returns the requests for `tag` that are loading or paused.
  func pending(_ tag: ResourceTag) -> [ResourceRequest] {
    requests.values.compactMap(\.request).filter { request in
      request.tags.contains(tag) && (request.state == .loading || request.state == .paused)
    }
  }

  /// Pauses all loading requests for `tag`. The bytes received so far are saved. Returns whether any request was
  /// loading.
  @discardableResult
  public func pause(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag).filter { $0.state == .loading }
    for request in requests { pause(request) }
    return !requests.isEmpty
  }

  /// Resumes all paused requests for `tag`. Returns whether any request was paused.
  @discardableResult
  public func resume(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag).filter { $0.state == .paused }
    for request in requests { resume(request) }
    return !requests.isEmpty
  }

  /// Cancels all loading and paused requests for `tag`. The requests fail with ``ResourceError/cancelled``. Returns
  /// whether any request was loading or paused.
  @discardableResult
  public func cancel(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag)
    for request in requests { cancel(request) }
    tellChange()
    return !requests.isEmpty
  }
}
