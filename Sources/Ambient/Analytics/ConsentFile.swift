// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The file that keeps ``Consent``: one JSON object, such as `{"analytics":"granted"}`.
struct ConsentFile: Sendable {
  /// The result of a write; `error` is nil if it succeeded.
  struct Outcome: Sendable {
    let error: SystemError?
  }

  private var path: String
  private let root = FileDescriptor.identity(at: "/")
  private let failures: Failures

  /// The size limit: a larger file counts as damaged, because this package writes no such file.
  private static var mostBytes: Int { 65_536 }

  /// Makes the file if there is none.
  init(_ path: String) throws(FileOpenError) {
    let resolved = FileSystem.resolved(path)
    self.path = resolved
    failures = Failures(source: "Consent \(path)")
    // If the status of the file cannot be read, the file may exist, and must not be replaced.
    let status = try attempt(
      nilIfMissing(FileStatus(at: resolved)), or: { FileOpenError(path: path, $0) })
    if status != nil { return }
    // An error here is ignored: the write below then fails, and its error says more.
    try? FileSystem.makeFolders(FileSystem.split(resolved).folder)
    if let error = write([:]).error { throw FileOpenError(path: path, error) }
    // The absolute path, since the program may change its working folder.
    self.path = FileSystem.resolved(resolved)
  }

  /// Whether the file is not there any more. If its path cannot be looked at, or leads elsewhere
  /// after chroot(2), it counts as there.
  var isMissing: Bool {
    guard FileDescriptor.identity(at: "/") == root else { return false }
    do throws(SystemError) { _ = try FileStatus(at: path) } catch { return error.isMissing }
    return false
  }

  /// The answers in the file; entries that cannot be understood are reported, and left out.
  func read() throws(FileOpenError) -> [ConsentPurpose: ConsentStatus] {
    let bytes = try attempt(
      FileSystem.bytes(path, upTo: Self.mostBytes + 1), or: { FileOpenError(path: path, $0) })
    guard bytes.count <= Self.mostBytes, let value = Self.value(bytes),
      case .fields(let fields) = value
    else {
      report(Self.damage)
      return [:]
    }
    var statuses: [ConsentPurpose: ConsentStatus] = [:]
    for field in fields {
      guard case .string(let text) = field.value, let status = ConsentStatus(rawValue: text) else {
        report(Self.text(ofUnknown: field))
        continue
      }
      statuses[ConsentPurpose(rawValue: field.name)] = status
    }
    return statuses
  }

  private static func value(_ bytes: [UInt8]) -> AmbientValue? {
    // Valid: the pointer is used only within the closure.
    bytes.withUnsafeBytes { try? JSONReader.value($0) }
  }

  private func report(_ message: String) {
    Diagnostics.report(.invalidSetting, source: failures.source, message)
  }

  /// Replaces the file as a whole: a reader finds either the old answers or the new ones.
  func write(_ statuses: [ConsentPurpose: ConsentStatus]) -> Outcome {
    var text = Dictionary(
      uniqueKeysWithValues: statuses.map { ($0.key.rawValue, $0.value.rawValue) }
    ).ambientValue.description
    if statuses.isEmpty { text = "{}" }
    text += "\n"
    do throws(SystemError) {
      try FileSystem.replace(path, by: text, isDurable: true)
      return Outcome(error: nil)
    } catch {
      return Outcome(error: error)
    }
  }

  /// Reports that grants became pending, since the file is gone. The caller must hold no lock.
  func note(withdrawn count: Int) {
    guard count > 0 else { return }
    Diagnostics.report(.damaged, source: failures.source, Self.removal)
  }

  /// Counts and reports the result of a write. The caller must hold no lock, because reports run
  /// user code.
  func note(_ outcome: Outcome) {
    guard let error = outcome.error else { return failures.noteSuccess() }
    failures.noteFailure(Self.text(ofFailure: error))
  }
}

/// The texts of reports.
extension ConsentFile {
  static var damage: String {
    "is damaged, so all answers are lost. Ask the user again; the next answer replaces the file."
  }

  static func text(ofUnknown field: AmbientFields.Field) -> String {
    "has the unknown answer “\(field.value)” for “\(field.name)”; ask the user again.".escaped
  }

  static var removal: String {
    """
    was removed while the program was running, so nothing is granted anymore. Ask the user again, \
    and do not remove the file of a running program.
    """
  }

  static func text(ofFailure error: SystemError) -> String {
    """
    cannot be written (\(error)): answers are kept only until the program ends. Check that the \
    folder exists, that this user may write to it, and that the disk has space.
    """
  }
}
