/// Pausing, resuming and cancelling downloads by tag.
extension ResourceManager {
  /// Returns the tag's requests that are loading or paused.
  func pending(_ tag: ResourceTag) -> [ResourceRequest] {
    requests.values.compactMap(\.request).filter { request in
      request.tags.contains(tag) && (request.state == .loading || request.state == .paused)
    }
  }

  /// Pauses the tag's downloads and keeps the bytes received so far. Returns whether anything was loading.
  @discardableResult
  public func pause(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag).filter { $0.state == .loading }
    for request in requests { pause(request) }
    return !requests.isEmpty
  }

  /// Resumes the tag's paused downloads. Returns whether anything was paused.
  @discardableResult
  public func resume(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag).filter { $0.state == .paused }
    for request in requests { resume(request) }
    return !requests.isEmpty
  }

  /// Cancels the tag's downloads. Their requests fail with ``ResourceError/cancelled``. Returns whether anything was
  /// loading or paused.
  @discardableResult
  public func cancel(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag)
    for request in requests { cancel(request) }
    tellChange()
    return !requests.isEmpty
  }
}
