// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// The signal handlers that let a failed write return an error instead of ending the program.
///
/// Each handler does nothing. A handler is installed once, and only if the program has set no
/// handler. SIG_IGN is not used instead, because child processes would inherit it.
package enum WriteSignals {
  /// Handles SIGPIPE, so that a write to a pipe without a reader returns an error.
  static func surviveClosedPipe() { _ = pipe }

  /// Handles SIGXFSZ, so that a write beyond the file size limit returns an error.
  package static func surviveSizeLimit() { _ = size }

  private static let pipe: Void = ambient_survive(SIGPIPE)
  private static let size: Void = ambient_survive(SIGXFSZ)
}
