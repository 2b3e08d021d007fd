// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The number of installations of one service: in the process, and in slots of scopes. A service
/// that is installed in two slots counts twice.
final class Installations: Sendable {
  private let number = Atomic<Int>(0)
  private let ofProcess = Atomic<Bool>(false)

  /// The current number of installations.
  var count: Int { number.load(ordering: .acquiring) }

  /// Whether the service was ever the process's instance. The process never frees its instances, so
  /// the service must close its file itself when its last installation ends.
  var wereOfProcess: Bool { ofProcess.load(ordering: .relaxed) }

  /// Adds `change`, which is 1 or −1, to the number of installations. Returns true if the first
  /// installation was added, or the last one was removed.
  ///
  /// After the last installation was removed, the service must flush. If `wereOfProcess` is true,
  /// the service must then also close its file. After the first installation, it keeps the file
  /// open.
  func add(_ change: Int, ofProcess: Bool) -> Bool {
    if ofProcess { self.ofProcess.store(true, ordering: .relaxed) }
    let count = number.wrappingAdd(change, ordering: .acquiringAndReleasing).newValue
    return count == max(change, 0)
  }
}

extension Installations {
  private static let counts = Guarded<[ObjectIdentifier: Int]>([:])

  /// Counts, in a table of its own, the installations of a service whose context has no
  /// `InstallationObserver`, and flushes the service when the number becomes zero.
  static func adjust(_ assignment: AnyService, by change: Int) {
    guard let service = assignment.service else { return }
    // A value type has no identity to count by, so each removal counts as the last one.
    let isLast =
      service.identity.map { identity in
        counts.withLock { counts in
          let count = counts[identity, default: 0] + change
          counts[identity] = count > 0 ? count : nil
          return count == 0
        }
      } ?? (change < 0)
    if isLast { service.flush() }
  }
}

/// Called when a service is installed in the process or in a slot of a scope (`change` is 1), and
/// when it is removed from there (`change` is −1). For a `ServiceGroup`, called for each of its
/// parts instead.
///
/// The observer is called for a new service before any reader can find that service, and afterwards
/// for the service that it replaced. `ofProcess` is true for the process, which never frees its
/// services, and false for a slot of a scope. The observer is called without a lock, on any thread.
///
/// The context's default counts as installed while a read may find it, for either of two reasons:
/// the process has no instance yet, or an isolating scope is alive. A call with `service` nil
/// reports that a reason begins or ends. No call reports that the first reason begins. For the
/// second, the call is made under the lock of `ContextRegistry`, so that the changes are in order;
/// the program's code must not run under that lock.
@usableFromInline
typealias InstallationObserver =
  @Sendable (_ service: AnyObject?, _ change: Int, _ ofProcess: Bool) -> Void
