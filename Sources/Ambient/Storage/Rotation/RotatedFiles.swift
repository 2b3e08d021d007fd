#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What could not be done, with which file, and what the system said.
struct RotationFailure: Error, Hashable, CustomStringConvertible {
  let action: String
  let path: String
  let error: SystemError

  var description: String { "cannot \(action) “\(path)”: \(error)" }
}

/// The files of one log that were put away, in the log's folder.
struct RotatedFiles: Sendable {
  let folder: String
  /// The name of the log itself.
  let log: String
  let names: FileRotation.Names

  init(_ path: String, _ names: FileRotation.Names) {
    (folder, log) = FileSystem.split(path)
    self.names = names
  }

  /// The lock's file: hidden, and nothing that whoever collects `*.log*` would take.
  var lockPath: String { path(".\(log.split(separator: ".").joined(separator: "-")).rotation") }

  func path(_ name: String) -> String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }

  /// The oldest first; folders, links and whatever has another name are none of them.
  func all() throws(RotationFailure) -> [RotatedFile] {
    let found: [String]
    do throws(SystemError) {
      found = try FileSystem.names(in: folder)
    } catch {
      throw RotationFailure(action: "list", path: folder, error: error)
    }
    var files: [String: RotatedFile] = [:]
    for name in found {
      let isCompressed = name.hasSuffix(RotatedFile.ending)
      let plain = isCompressed ? name.dropLast(RotatedFile.ending.count) : name[...]
      guard let file = RotatedFile(plain, of: log, names),
        let status = try? FileStatus(at: path(name)), status.isFile
      else { continue }
      var known = files[file.name] ?? file
      if isCompressed { known.isCompressed = true } else { known.isPlain = true }
      known.size += status.size
      known.modified = max(known.modified, status.modified)
      files[file.name] = known
    }
    return files.values.sorted()
  }

  /// A path that nothing has, for the file that is put away next.
  func makeRoom(for period: String) throws(RotationFailure) -> String {
    switch names {
    case .numbered:
      try moveUp()
      return path("\(log).1")
    case .dated:
      // After the last, not in a gap, or an older one would be taken for newer than this.
      let base = "\(log).\(period)"
      let others = ((try? all()) ?? []).filter { $0.name == base || $0.name.hasPrefix("\(base).") }
      var copy = (others.map(\.copy).max() ?? 0) + 1
      while true {
        let name = path(copy == 1 ? base : "\(base).\(copy)")
        if !isTaken(name) { return name }
        copy += 1
      }
    }
  }

  /// Frees number 1: all up to the first gap move up, the oldest first.
  private func moveUp() throws(RotationFailure) {
    var end = 1
    while isTaken(path("\(log).\(end)")) {
      for name in ["\(log).\(end)", "\(log).\(end)\(RotatedFile.ending)"].map(path) {
        if let status = try? FileStatus(at: name), !status.isFile {
          throw RotationFailure(action: "use the name", path: name, error: .isInTheWay)
        }
      }
      end += 1
    }
    for number in stride(from: end - 1, to: 0, by: -1) {
      let (old, new) = (path("\(log).\(number)"), path("\(log).\(number + 1)"))
      let compressed = old + RotatedFile.ending
      if FileSystem.exists(old) {
        // With the original still there, it was not finished, and must not be taken for it.
        if FileSystem.exists(compressed) { try remove(compressed) }
        try rename(old, to: new)
      } else {
        try rename(compressed, to: new + RotatedFile.ending)
      }
    }
  }

  private func isTaken(_ path: String) -> Bool {
    FileSystem.exists(path) || FileSystem.exists(path + RotatedFile.ending)
  }

  func rename(_ path: String, to other: String) throws(RotationFailure) {
    do throws(SystemError) {
      try FileSystem.rename(path, to: other)
    } catch {
      throw RotationFailure(action: "rename", path: path, error: error)
    }
  }

  func remove(_ path: String) throws(RotationFailure) {
    do throws(SystemError) {
      try FileSystem.remove(path)
    } catch {
      throw RotationFailure(action: "remove", path: path, error: error)
    }
  }

  /// Removes the oldest until what is left is within all limits of the rotation; what cannot be
  /// removed is passed over.
  func removeOldest(_ rotation: FileRotation, now: Date) -> RotationFailure? {
    guard rotation.keep != nil || rotation.keepAge != nil || rotation.keepSize != nil else {
      return nil
    }
    do throws(RotationFailure) {
      let files = try all()
      var failure: RotationFailure?
      var size = files.reduce(0) { $0 + $1.size }
      for (index, file) in files.enumerated() {
        let age = now.timeIntervalSince(file.modified)
        let isOver =
          rotation.keep.map { files.count - index > $0 } ?? false
          || rotation.keepSize.map { size > $0 } ?? false
          || rotation.keepAge.map { age > $0 / .seconds(1) } ?? false
        guard isOver else { continue }
        do throws(RotationFailure) {
          if file.isCompressed { try remove(path(file.name + RotatedFile.ending)) }
          if file.isPlain { try remove(path(file.name)) }
          size -= file.size
        } catch {
          failure = error
        }
      }
      return failure
    } catch {
      return error
    }
  }
}
