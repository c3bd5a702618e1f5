import QwinkleModel

/// Purging when the disk is nearly full. All resources can be fetched again, unlike the user's other files.
extension ResourceManager {
  /// Purges resources if saving `byteCount` more bytes would leave less free space than ``ResourceLimits/freeSpace``.
  ///
  /// The space counts as recovered at twice the limit. Otherwise the space that a purge frees would end the state, and
  /// the next pictures would begin it again.
  func checkFreeSpace(for byteCount: Int) async {
    guard let free = await index.freeSpace() else {
      // Only a failed save shows that the disk is full, so this save may show that it isn't any more.
      hasReportedFullDisk = false
      return
    }
    if free >= 2 * limits.freeSpace { hasReportedFullDisk = false }
    let missing = limits.freeSpace + byteCount - free
    if missing > 0 { await dropForDiskSpace(missing) }
  }

  /// Deletes partial downloads, then purges resources in the order of ``purgeable``, until `wanted` bytes are freed or
  /// none are left. Notifies observers once until the space has recovered.
  func dropForDiskSpace(_ wanted: Int) async {
    let parts = await index.removeParts()
    let former = bytesOnDisk
    await purge(bytes: wanted - parts)
    let dropped = parts + max(0, former - bytesOnDisk)
    guard dropped > 0, !hasReportedFullDisk else { return }
    hasReportedFullDisk = true
    tellDropped(dropped)
  }
}
