internal import CAmbient
internal import Synchronization

/// What happens when the file of a mapped ring loses pages: the disk fails, another process cuts
/// the file, or there is no room behind a file with holes. The system signals SIGBUS then.
///
/// A handler puts memory in the place of such a ring, with all pages that are left, and the
/// instruction goes on (`Salvage.c`). Damaged frames are found by their checksums as usual.
enum LostPages {
  /// Whether that handler is installed with the first ring.
  static var areSurvived: Bool {
    get { isWanted.load(ordering: .relaxed) }
    set { isWanted.store(newValue, ordering: .relaxed) }
  }

  private static let isWanted = Atomic<Bool>(true)
  private static let isReported = Atomic<Bool>(false)
  private static let installation: Void = { _ = ambient_salvage_install() }()

  /// Installs the handler, unless it is to be left out.
  static func prepare() {
    if areSurvived { _ = installation }
  }

  /// The report that another handler has taken the place of ours, once.
  static func trouble() -> String? {
    guard !ambient_salvage_is_installed(), !isReported.exchange(true, ordering: .relaxed) else {
      return nil
    }
    return """
      another handler of SIGBUS was set after the log's: unless it calls the one before, a lost page of a \
      buffer ends the program. Set it before the first log, or set FileLog.survivesLostPages to false.
      """
  }
}
