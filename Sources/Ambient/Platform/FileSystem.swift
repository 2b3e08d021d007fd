internal import CAmbient

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// What stands at a path, with symbolic links not followed.
struct FileStatus {
  let identity: FileDescriptor.Identity
  /// Whether it is a file: no folder, link, pipe or device.
  let isFile: Bool
  let permissions: UInt16
  let size: Int
  let modified: Date

  init(at path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemError(number: errno) }
    identity = FileDescriptor.Identity(status)
    isFile = status.st_mode & S_IFMT == S_IFREG
    permissions = UInt16(status.st_mode & 0o777)
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
  }
}

extension SystemError {
  /// What is said of a name that something else has.
  static let isInTheWay = SystemError(number: EEXIST)

  /// Whether nothing has the name.
  var isMissing: Bool { number == ENOENT }
}

/// Names in folders, and small files.
package enum FileSystem {
  /// The path without symbolic links; itself if it leads nowhere.
  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    // Valid: the system allocated the text for this call.
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether something has the name, be it a link that leads nowhere.
  static func exists(_ path: String) -> Bool { (try? FileStatus(at: path)) != nil }

  /// Gives what stands at a path another name; an error if something has that, also since just now.
  static func rename(_ path: String, to other: String) throws(SystemError) {
    guard ambient_rename_new(path, other) == 0 else { throw SystemError(number: errno) }
  }

  /// Replaces the file as a whole: a reader finds the old text or the new one.
  ///
  /// The text is written to a file beside it, which takes its name. So whatever has the name by
  /// now, a link, a pipe or another file's second name, is replaced and neither followed nor
  /// written to.
  ///
  /// - Parameters:
  ///   - permissions: Of the file, at no time more.
  ///   - isDurable: Whether it must outlive a loss of power when this returns.
  package static func replace(
    _ path: String, by text: String, permissions: UInt16 = 0o600, isDurable: Bool
  ) throws(SystemError) {
    try replace(path, by: Array(text.utf8), permissions: permissions, isDurable: isDurable)
  }

  /// The same with bytes.
  static func replace(
    _ path: String, by bytes: [UInt8], permissions: UInt16 = 0o600, isDurable: Bool
  ) throws(SystemError) {
    // The process's own, so that two never write to one; what a killed one left is replaced.
    let new = "\(path).\(getpid()).new"
    do throws(SystemError) {
      try remove(new)
      let file = try FileDescriptor.new(new)
      defer { file.close() }
      try file.write(bytes, at: 0)
      if permissions != 0o600, fchmod(file.number, mode_t(permissions)) != 0 {
        throw SystemError(number: errno)
      }
      if isDurable { try file.synchronize() }
      try overwrite(path, by: new)
    } catch {
      try? remove(new)
      throw error
    }
    // A name is the folder's to keep.
    if isDurable { synchronize(split(path).folder) }
  }

  private static func overwrite(_ path: String, by other: String) throws(SystemError) {
    #if canImport(Glibc)
      let result = Glibc.rename(other, path)
    #elseif canImport(Musl)
      let result = Musl.rename(other, path)
    #else
      let result = Darwin.rename(other, path)
    #endif
    guard result == 0 else { throw SystemError(number: errno) }
  }

  /// What stands in a file that is no link; nil if it cannot be read, is no UTF-8 or has more
  /// bytes.
  package static func text(_ path: String, limit: Int) -> String? {
    guard let file = try? FileDescriptor.existing(path, toWrite: false) else { return nil }
    defer { file.close() }
    guard file.isRegular else { return nil }
    let bytes = file.read(limit + 1, at: 0)
    return bytes.count <= limit ? String(validating: bytes, as: UTF8.self) : nil
  }

  /// Waits until the names in that folder stand on the disk, where it can be opened for that.
  static func synchronize(_ folder: String) {
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    #if canImport(Darwin)
      // fsync(2) alone would leave the names in the drive's own memory there.
      _ = ambient_synchronize(number)
    #else
      _ = fsync(number)
    #endif
    _ = close(number)
  }

  /// Removes a file; one that is gone already is none to remove.
  package static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(number: errno) }
  }

  /// Makes the folder, and those that it stands in, if they are missing.
  static func makeFolders(_ path: String) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder }
      return
    }
    guard errno == ENOENT else { throw SystemError(number: errno) }
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    let error = SystemError(number: errno)
    var outer = path[...]
    while outer.hasSuffix("/") { outer.removeLast() }
    guard error.isMissing, let slash = outer.lastIndex(of: "/"), slash > outer.startIndex else {
      throw error
    }
    try makeFolders(String(outer[..<slash]))
    if mkdir(path, 0o777) != 0, errno != EEXIST { throw SystemError(number: errno) }
  }

  /// The folder of a path, as it can be opened, and the name in it. Cut by hand: a URL would take a
  /// `~` for the user's folder, which opening the file does not.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  /// What a folder holds, in no order.
  static func names(in folder: String) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else { throw SystemError(number: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    // Valid: an entry holds until the next is read, and its name ends with a zero within it.
    while let entry = readdir(stream) {
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset)
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names
  }
}
