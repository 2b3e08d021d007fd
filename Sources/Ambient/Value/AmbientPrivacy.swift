internal import Synchronization

/// Who may see a value that is logged or tracked.
///
/// What is not public is replaced by a mark where the value is written down: the value itself never
/// reaches a record, so no format and no destination can leak it. For development,
/// `LOG_PRIVATE=show` in the environment, or ``isRevealing``, shows all.
public enum AmbientPrivacy: Hashable, Sendable {
  /// What stands in place of a sensitive value.
  public enum Mask: Hashable, Sendable {
    /// A hash, as `<hash:91f0a2c4b6d8>`: equal values have equal marks within one process, and
    /// another mark in the next.
    case hash
  }

  /// Everybody.
  case `public`
  /// Nobody: `<private>` is shown.
  case `private`
  /// Nobody, but equal values can be told from different ones.
  case sensitive(Mask)

  /// Whether the values themselves are shown, whatever their privacy: for development only.
  ///
  /// Initially `true` if the environment has `LOG_PRIVATE=show`. It holds for the process, and for
  /// what is logged after it was set.
  public static var isRevealing: Bool {
    get { revealing.load(ordering: .relaxed) }
    set { revealing.store(newValue, ordering: .relaxed) }
  }

  private static let revealing = Atomic<Bool>(Environment.value("LOG_PRIVATE") == "show")

  /// Whether the value itself is shown.
  var isShown: Bool { self == .public || Self.isRevealing }
}
