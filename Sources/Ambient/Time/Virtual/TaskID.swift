/// Which task runs, as a number that no other living task has.
struct TaskID: Hashable, Sendable {
  private let number: Int

  static var current: TaskID? {
    withUnsafeCurrentTask { task in task.map { TaskID(number: $0.hashValue) } }
  }

  static var currentName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}
