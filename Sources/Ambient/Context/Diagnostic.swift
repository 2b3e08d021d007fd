// SPDX-License-Identifier: Apache-2.0

/// A report of a failure, a recovery, or a mistake in the use of this package.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// The kind of trouble; the same lasting trouble is reported again only after a recovery.
  ///
  /// The permissions, owner or links of a log's file are reported each time that the file is
  /// opened.
  @nonexhaustive
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The process-wide instance of a context, such as `Log.instance`, was assigned after it had
    /// been read; reported once for each context.
    case lateAssignment
    /// A service, or an earlier process, could not write its data, such as a record, an event or a
    /// user's consent.
    ///
    /// This includes trouble with a file's buffer, lock or descriptor, even if no line is lost: a
    /// buffer that was removed or cannot be made, for example.
    case writeFailed
    /// Events or records were not delivered: they wait, are refused, are lost, or are discarded by
    /// a collector that is off.
    case undelivered
    /// An event or a record broke a rule of its destination, and was sent, changed or not.
    case amended
    /// A server accepted events or records with a warning, or a collector will send waiting ones to
    /// another destination, or sends its requests uncompressed.
    case warned
    /// A service works again after a failure.
    case recovered
    /// Another program or a failing disk changed or removed stored data, but not a file's buffer.
    case damaged
    /// A file could not be rotated, or a rotated file could not be compressed or removed.
    case rotation
    /// A call of a service was lost, because too many calls were nested within each other.
    case recursion
    /// A service did not stop by its deadline.
    case shutdown
    /// A setting, or a consent file or an entry of it, could not be understood or followed and was
    /// ignored, or a setting is probably a mistake.
    case invalidSetting
    /// Records or events of a subclass reached its base class, `Log` or `Analytics`, which discards
    /// them.
    case discarded
    /// The process is a fork that has not executed a new program.
    case fork
    /// Two copies of this package are in the process.
    case secondCopy
    /// A task had not ended when its scope of virtual time ended, or slept in that scope later.
    case leftover
    /// A task of a scope of virtual time ran or waited outside the scope, which did not see it.
    case leftScope
    /// A task of `Time.backgroundTask` ended with an error.
    case taskFailed
    /// A scope of virtual time made no progress for too long, has a task that may never end, or
    /// could not be watched or searched in full.
    case stalled
    /// A body that ran in many schedules failed in one of them.
    case failedSchedule
  }

  /// The kind of trouble.
  public let kind: Kind
  /// The reporting service, such as `FileLog /var/log/shop.log`.
  public let source: String
  /// What failed, where it failed, and advice.
  public let message: String

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - kind: The kind of failure, for programs that treat some kinds differently.
  ///   - source: The reporting service and what it serves, such as `FileLog /var/log/shop.log`.
  ///   - message: What failed, where it failed, and advice, in a sentence or two.
  public init(_ kind: Kind, source: String, _ message: String) {
    self.kind = kind
    self.source = source
    self.message = message
  }

  /// The source and the message.
  public var description: String { "\(source): \(message)" }
}
