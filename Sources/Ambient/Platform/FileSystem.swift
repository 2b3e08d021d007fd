// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// Wrappers of system calls for folder entries and small files.
package enum FileSystem {
  /// Returns the path with its symbolic links resolved, or the unchanged path if it does not exist.
  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    // Valid: realpath(3) allocated the string for its caller, who must free it.
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The path of the file that a path such as `/dev/stdout` leads to, which is the name of an open
  /// descriptor of this process, or a link to such a name; nil for other paths, and for a pipe or a
  /// device.
  ///
  /// - Throws: `streamPath` for an open socket, which has no path.
  static func realPath(ofStream path: String) throws(SystemError) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    let link = String(
      decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let places = ["/dev/std", "/dev/fd/", "/proc/"]
    guard [path, link].contains(where: { name in places.contains { name.hasPrefix($0) } }),
      let status = FileDescriptor.status(at: path)
    else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return resolved(path)
    case S_IFSOCK: throw .streamPath
    default: return nil
    }
  }

  /// Returns the absolute path, without empty components and `.`. Components `..` stay, because
  /// their meaning depends on symbolic links.
  package static func absolute(_ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// The path of the file or folder called `name` in a folder. An empty folder is the working
  /// folder.
  package static func path(_ name: String, in folder: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Whether the path exists, even as a dangling symbolic link.
  package static func exists(_ path: String) -> Bool { (try? FileStatus(at: path)) != nil }

  /// Renames a file. Fails if a file with the new name exists. Where the file system has neither an
  /// exclusive rename nor hard links, a file that is created during the call may be replaced.
  static func rename(_ path: String, to other: String) throws(SystemError) {
    guard ambient_rename_new(path, other) == 0 else { throw SystemError(number: errno) }
  }

  /// Replaces the file as a whole: a reader finds the old text or the new one.
  ///
  /// The text is written to a temporary file in the same folder, which is renamed over the path. So
  /// a symbolic link, a pipe or a hard link at the path is replaced, but neither followed nor
  /// written to.
  ///
  /// - Parameters:
  ///   - permissions: The file's permissions. The file never has wider permissions, not even while
  ///     it is being written.
  ///   - isDurable: Whether the new text must survive a power failure once this returns.
  package static func replace(
    _ path: String, by text: String, permissions: UInt16 = 0o600, isDurable: Bool
  ) throws(SystemError) {
    try replacing(path, by: Array(text.utf8), permissions: permissions, isDurable: isDurable)
      .close()
  }

  /// Replaces the file by bytes, and returns the new file, which is open.
  package static func replacing(
    _ path: String, by bytes: [UInt8], permissions: UInt16 = 0o600, isDurable: Bool
  ) throws(SystemError) -> FileDescriptor {
    if let fault = SystemError.fault(of: path) { throw fault }
    // The name contains the process identifier, so that two processes never write the same file. An
    // earlier process with the same identifier may have been killed before it removed its file.
    let new = "\(path).\(getpid()).new"
    try remove(new)
    let file = try FileDescriptor.new(new)
    do throws(SystemError) {
      try file.write(bytes, at: 0)
      if permissions != 0o600, fchmod(file.number, mode_t(permissions)) != 0 {
        throw SystemError(number: errno)
      }
      if isDurable { try file.synchronize() }
      try overwrite(path, by: new)
    } catch {
      file.close()
      try? remove(new)
      throw error
    }
    // The new name is durable once the folder is synchronized.
    if isDurable { synchronize(split(path).folder) }
    return file
  }

  /// Removes the temporary files of processes that were killed while they replaced the file. The
  /// caller must hold a lock that covers the file.
  package static func removeHalves(of path: String) throws(SystemError) {
    let (folder, name) = split(path)
    for other in try names(in: folder)
    where other.hasPrefix("\(name).") && other.hasSuffix(".new") {
      try remove(self.path(other, in: folder))
    }
  }

  /// Renames `other` to `path` atomically, which replaces the file that was at `path`.
  static func overwrite(_ path: String, by other: String) throws(SystemError) {
    guard ambient_rename(other, path) == 0 else { throw .latest }
  }

  /// Returns the first `count` bytes of a regular file, or fewer if the file is shorter.
  static func bytes(_ path: String, upTo count: Int) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor.existing(path, toWrite: false)
    defer { file.close() }
    // The size is read only for its error: if the file's status cannot be read, `checkedSize`
    // throws the system's error, while `isRegular` would merely be false.
    _ = try file.checkedSize
    guard file.isRegular else { throw .inTheWay }
    return try file.read(count, at: 0)
  }

  /// Returns the text of a file. Nil if the path does not exist or is not a regular file (a
  /// symbolic link, for example), or if the file is not UTF-8 or is longer than `limit` bytes.
  ///
  /// - Throws: The system's error if the file may contain a text, but cannot be read now.
  package static func text(_ path: String, limit: Int) throws(SystemError) -> String? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try self.bytes(path, upTo: limit + 1)
    } catch {
      if error.isMissing || error == .inTheWay || error.isOfNoFile { return nil }
      throw error
    }
    return bytes.count <= limit ? String(validating: bytes, as: UTF8.self) : nil
  }

  /// Waits until the folder's entries are on the disk. Errors are ignored, for example if this user
  /// may not read the folder.
  static func synchronize(_ folder: String) {
    let file = try? FileDescriptor.opened(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    try? file?.synchronize()
    file?.close()
  }

  /// Removes a file. A missing file is not an error.
  package static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(number: errno) }
  }

  /// Makes the folder and its parents, if they are missing.
  package static func makeFolders(_ path: String) throws(SystemError) {
    if let fault = SystemError.fault(of: path) { throw fault }
    if try isFolder(path) { return }
    var inner = path[...]
    while inner.hasSuffix("/") { inner.removeLast() }
    let outer = split(String(inner)).folder
    if outer != ".", outer != "/" { try makeFolders(outer) }
    guard mkdir(path, 0o777) != 0 else { return }
    let error = SystemError.latest
    // `mkdir` fails with EEXIST if another process has made the folder meanwhile, but also if the
    // path is a dangling link, for which `isFolder` returns false.
    guard error.number == EEXIST, try isFolder(path) else { throw error }
  }

  /// Whether the path leads to a folder; false if it leads to nothing.
  ///
  /// - Throws: `notAFolder` where the path leads to something else.
  private static func isFolder(_ path: String) throws(SystemError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw SystemError(number: errno) }
      return false
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder }
    return true
  }

  /// Splits a path into the path of its folder, which is `.` if there is none, and its last
  /// component.
  ///
  /// Split by hand, because a URL would expand `~`, which `open` does not.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  /// Returns the paths of the files in a folder, in no particular order.
  static func paths(in folder: String) throws(SystemError) -> [String] {
    try names(in: folder).map { path($0, in: folder) }
  }

  /// Returns the names in a folder, in no particular order.
  static func names(in folder: String) throws(SystemError) -> [String] {
    let file = try FileDescriptor.opened(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard let stream = fdopendir(file.number) else {
      let error = SystemError.latest
      file.close()
      throw error
    }
    defer { closedir(stream) }
    var names: [String] = []
    // Valid: an entry is valid until the next call of readdir(3), and its name ends with a zero
    // byte.
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset)
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    // readdir(3) returns a null pointer both after the last entry and for an error. Only an error
    // sets errno.
    guard errno == 0 else { throw .latest }
    return names
  }
}
