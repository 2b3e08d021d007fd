// SPDX-License-Identifier: Apache-2.0

internal import CVirtualTime

/// The identity of the current task.
enum TaskID {
  /// A number unique among all tasks; zero outside a task.
  static var current: UInt64 { ambient_current_task() }

  static var currentName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}
