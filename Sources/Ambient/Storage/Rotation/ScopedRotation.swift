#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rule by which a log's file is rotated, and the scope in which the log was made. The rotation
/// uses the `Time` of this scope.
struct ScopedRotation: Sendable {
  let rule: FileRotation
  private let scope = AmbientScope.capture()

  init(_ rule: FileRotation) { self.rule = rule }

  var now: Date { scope.run { Time.now } }

  /// The rotator of the file at `path`; nil for a device or a pipe.
  func rotator(for path: String, _ permissions: UInt16?, source: String) -> Rotator? {
    Rotator(path: path, rule, mode: permissions ?? 0o644, now: now, source: source)
  }
}
