/// One thing that went wrong in this package's own work.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, by kind; a service reports each kind once until it recovers.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A process's instance was assigned after it had been read.
    case lateAssignment
    /// A service could not write what it was given.
    case writeFailed
    /// Events could not be delivered: they wait, or are lost.
    case undelivered
    /// An event is delivered otherwise than it was tracked, since its destination demands it.
    case amended
    /// A server has taken events, and says that something about them is not right.
    case warned
    /// A service could write again after a failure.
    case recovered
    /// What a service keeps was changed by others, or by a disk that is not sound.
    case damaged
    /// A file could not be rotated, or one that was could not be compressed or removed.
    case rotation
    /// A service was called again and again by what it had called.
    case recursion
    /// A service did not stop by its deadline.
    case shutdown
    /// A setting could not be understood, or not be followed, and was passed over.
    case invalidSetting
    /// A class of the program's own overrides nothing that takes what is logged or tracked.
    case discarded
    /// The process is a fork that goes on without another program.
    case fork
    /// Two copies of this package are in the process.
    case secondCopy
    /// A scope of virtual time ended while something still slept in it.
    case leftover
    /// Something left a scope of virtual time, where the scope does not see it.
    case leftScope
    /// Nothing went on in a scope of virtual time for too long, or something that may never end.
    case stalled
  }

  /// What went wrong, by kind.
  public let kind: Kind
  /// Who reports it, as `FileLog /var/log/shop.log`.
  public let source: String
  /// What happened, where, and what to do.
  public let message: String

  /// Describes what went wrong.
  public init(_ kind: Kind, source: String, _ message: String) {
    self.kind = kind
    self.source = source
    self.message = message
  }

  /// The source and the message.
  public var description: String { "\(source): \(message)" }
}
