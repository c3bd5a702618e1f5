/// The longest increasing subsequence.
public enum LongestRun {
  /// Returns the indices of a longest increasing subsequence of distinct `numbers`.
  public static func indices(of numbers: [Int]) -> [Int] {
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run: [Int] = []
    var index = ends.last
    while let current = index {
      run.append(current)
      index = before[current]
    }
    return run.reversed()
  }
}
