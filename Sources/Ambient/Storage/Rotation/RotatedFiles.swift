// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// Returns a function that tells whether a living log writes to the file at a path in the folder.
typealias LivingLogs = @Sendable (_ folder: String) -> (_ path: String) -> Bool

/// The archives of one log, in the log's folder.
struct RotatedFiles: Sendable {
  let folder: String
  /// The name of the log itself.
  let log: String
  let names: FileRotation.Names
  /// The permissions of the two hidden files: the lock's file and the list of archives.
  private let mode: UInt16
  private let living: LivingLogs

  /// - Parameters:
  ///   - mode: The permissions of the log. Users who may write to the log may also rotate it, so
  ///     they may read and write the hidden files.
  ///   - living: Finds the files that other logs write to. These are not archives.
  init(
    _ path: String, _ names: FileRotation.Names, mode: UInt16,
    living: @escaping LivingLogs = { _ in { _ in false } }
  ) {
    (folder, log) = FileSystem.split(path)
    self.names = names
    self.mode = FileLock.mode(for: mode)
    self.living = living
  }

  /// The path of the lock's file. The file is hidden, and its name does not match the pattern
  /// `*.log*`, by which logs are collected.
  var lockPath: String { path(".\(log.split(separator: ".").joined(separator: "-")).rotation") }

  /// The hidden file that lists the archives, oldest first. Two logs in a folder never share this
  /// file, whereas they may share the lock's file, as `a.log` and `a-log` do.
  private var order: RotationOrder {
    let name = log.map { $0 == "." ? "-" : $0 == "-" || $0 == "_" ? "_\($0)" : "\($0)" }
    return RotationOrder(path: path(".\(name.joined()).order"))
  }

  /// Takes the lock on the rotated files. Returns nil if another process holds it for longer than
  /// `patience`.
  func lock(patience: Duration = .zero) throws(SystemError) -> FileLock? {
    let taken = try FileLock.take(lockPath, mode: mode, patience: patience)
    guard let taken else { return nil }
    // All who may write to the log may take turns with the lock.
    if let status = FileDescriptor.status(at: path(log)) { taken.file.setOwner(like: status) }
    return taken
  }

  func path(_ name: String) -> String { FileSystem.path(name, in: folder) }

  /// The archives, in the order in which they were made.
  func inOrder() throws(RotationFailure) -> [RotatedFile] {
    let all = try all()
    return names == .dated ? try order.sort(all) : all
  }

  /// The archives, from the oldest to the newest by their names; folders, links, files with other
  /// names, and files that other logs write to are left out.
  func all() throws(RotationFailure) -> [RotatedFile] {
    let found = try attempt(
      FileSystem.names(in: folder), or: RotationFailure.cannot("list", folder))
    var files: [String: RotatedFile] = [:]
    let isLog = living(folder)
    for name in found {
      let isCompressed = name.hasSuffix(RotatedFile.ending)
      let plain = isCompressed ? String(name.dropLast(RotatedFile.ending.count)) : name
      guard let file = RotatedFile(plain, of: log, names),
        let status = try? FileStatus(at: path(name)), status.isFile, !isLog(path(name))
      else { continue }
      var known = files[file.name] ?? file
      if isCompressed { known.isCompressed = true } else { known.isPlain = true }
      known.size += status.size
      known.modified = max(known.modified, status.modified)
      files[file.name] = known
    }
    return files.values.sorted()
  }

  /// Renames the file at `path` to an archive; returns the archive's path.
  func putAway(_ path: String, of period: String) throws(RotationFailure) -> String {
    switch names {
    case .numbered:
      try moveUp()
      let name = self.path("\(log).1")
      try rename(path, to: name)
      return name
    case .dated:
      // The archive gets a number above the greatest number in use. With a smaller free number, its
      // name would sort it before older archives.
      let base = "\(log).\(period)"
      let files = try inOrder()
      let others = files.filter { $0.name == base || $0.name.hasPrefix("\(base).") }
      var copy = (others.map(\.copy).max() ?? 0) + 1
      while true {
        let name = copy == 1 ? base : "\(base).\(copy)"
        copy += 1
        guard !isTaken(self.path(name)) else { continue }
        // Records the archive's place in the order before the renaming, because the process may be
        // killed between the two steps. A recorded name without a file is ignored, but an archive
        // without a record is sorted by its name, which is wrong if the clock was wrong.
        if let file = RotatedFile(name, of: log, names) {
          try order.note(file, after: files, mode: mode)
        }
        do throws(RotationFailure) {
          try rename(path, to: self.path(name))
          return self.path(name)
        } catch {
          // If another process has taken the name since it was looked up, the next number is tried.
          if error.error != .inTheWay { throw error }
        }
      }
    }
  }

  /// Whether the date in `period` equals the date of the archive that was made last, or is later.
  /// True if there is no archive, or if the archives cannot be listed.
  func isInOrder(_ period: String) -> Bool {
    guard let file = RotatedFile("\(log).\(period)", of: log, names),
      let last = try? inOrder().last
    else { return true }
    return !file.isEarlier(than: last)
  }

  /// Frees the number 1: increments the numbers of all archives up to the first free number, the
  /// oldest archive first.
  private func moveUp() throws(RotationFailure) {
    var end = 1
    let isLog = living(folder)
    while isTaken(path("\(log).\(end)")) {
      for name in ["\(log).\(end)", "\(log).\(end)\(RotatedFile.ending)"].map(path) {
        if let status = try? FileStatus(at: name), !status.isFile {
          throw RotationFailure(action: "use the name", path: name, error: .inTheWay)
        }
        if isLog(name) {
          throw RotationFailure(action: "use the name", path: name, error: .otherLog)
        }
      }
      end += 1
    }
    for number in stride(from: end - 1, to: 0, by: -1) {
      let (old, new) = (path("\(log).\(number)"), path("\(log).\(number + 1)"))
      let compressed = old + RotatedFile.ending
      if FileSystem.exists(old) {
        // If both files exist, the compression was interrupted. The incomplete compressed file must
        // not be taken for a complete one.
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

  private func rename(_ path: String, to other: String) throws(RotationFailure) {
    try attempt(FileSystem.rename(path, to: other), or: RotationFailure.cannot("rename", path))
  }

  private func remove(_ path: String) throws(RotationFailure) {
    try attempt(FileSystem.remove(path), or: RotationFailure.cannot("remove", path))
  }

  /// Removes the oldest archives until the remaining ones are within all limits of the rotation.
  /// Skips an archive that cannot be removed; returns the last failure.
  func removeOldest(_ rotation: FileRotation, now: Date) -> RotationFailure? {
    guard rotation.keep != nil || rotation.keepAge != nil || rotation.keepSize != nil else {
      return nil
    }
    do throws(RotationFailure) {
      let files = try inOrder()
      let expired =
        rotation.keepAge.map { Self.count(of: files, olderThan: $0 / .seconds(1), now) } ?? 0
      var failure: RotationFailure?
      var size = files.reduce(0) { $0 + $1.size }
      for (index, file) in files.enumerated() {
        let isOver =
          rotation.keep.map { files.count - index > $0 } ?? false
          || rotation.keepSize.map { size > $0 } ?? false || index < expired
        // If this archive is within the limits, so are all newer ones.
        guard isOver else { break }
        do throws(RotationFailure) {
          if file.isCompressed { try remove(path(file.name + RotatedFile.ending)) }
          if file.isPlain { try remove(path(file.name)) }
        } catch {
          failure = error
        }
        size -= file.size
      }
      return failure
    } catch {
      return error
    }
  }

  /// The number of archives, counted from the oldest, whose last line is older than `limit`
  /// seconds.
  ///
  /// The clock may have been wrong while the archives were made. Therefore an archive's age is the
  /// sum of the differences between the modification times of successive archives, up to `now`. A
  /// negative difference counts as zero. A difference above the limit may be a jump of the clock.
  /// It is plausible if neither `now` nor any newer modification time is before the later of its
  /// two times. Implausible differences do not count. Of the plausible ones, the newest does not
  /// count either, so that a single jump of the clock removes no archives.
  private static func count(
    of files: [RotatedFile], olderThan limit: Double, _ now: Date
  ) -> Int {
    var (age, next, earliest, hasJumped) = (0.0, now, now, false)
    for (index, file) in files.enumerated().reversed() {
      let step = next.timeIntervalSince(file.modified)
      if step <= limit {
        age += max(step, 0)
      } else if earliest >= next {
        if hasJumped { age += step }
        hasJumped = true
      }
      if age > limit { return index + 1 }
      next = file.modified
      earliest = min(earliest, next)
    }
    return 0
  }
}
