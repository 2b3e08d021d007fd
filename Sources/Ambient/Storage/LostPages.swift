// SPDX-License-Identifier: Apache-2.0

internal import CAmbient
internal import Synchronization

/// Lets the program survive the loss of pages of a mapped ring's file. Pages are lost if the disk
/// fails, another process truncates the file, or the disk has no room for the holes of a sparse
/// file. An access to a lost page raises SIGBUS.
///
/// A signal handler (`LostPages.c`) maps memory in place of the ring, copies all remaining pages to
/// this memory, and lets the interrupted instruction continue. Afterwards, readers of the ring
/// recognize damaged frames by their checksums, as usual.
enum LostPages {
  /// Whether to install the handler when the first ring is mapped.
  static var areSurvived: Bool {
    get { isWanted.load(ordering: .relaxed) }
    set { isWanted.store(newValue, ordering: .relaxed) }
  }

  private static let isWanted = Atomic<Bool>(true)
  private static let isReported = Atomic<Bool>(false)
  private static let installation: Void = { _ = ambient_lost_pages_install() }()

  /// Installs the handler, unless ``areSurvived`` is false.
  static func prepare() {
    if areSurvived { _ = installation }
  }

  /// Returns a report if another handler of SIGBUS has replaced this one. Returns nil if none has,
  /// or if an earlier call returned the report.
  static func trouble() -> String? {
    guard !ambient_lost_pages_is_installed(), !isReported.exchange(true, ordering: .relaxed) else {
      return nil
    }
    return otherHandler
  }

  static var otherHandler: String {
    """
    another SIGBUS handler replaced the log's, so the program may crash if a log's buffer is \
    truncated. Install that handler before the first log opens, or let it call the log's handler.
    """
  }
}
