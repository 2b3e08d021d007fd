// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import AmbientCollectors

@Suite struct `Journal opening errors` {
  private let queue = Queue()

  private func error(_ body: () throws -> Journal) -> JournalError? {
    do {
      _ = try body()
      return nil
    } catch { return error as? JournalError }
  }

  #if canImport(Glibc)
    /// The words are those of this C library.
    @Test(
      arguments: [
        (ENOTDIR, .notAFolder(path: "/q")), (EEXIST, .notAFolder(path: "/q")),
        (EACCES, .notPermitted(path: "/q", reason: "Permission denied")),
        (EPERM, .notPermitted(path: "/q", reason: "Operation not permitted")),
        (EROFS, .notPermitted(path: "/q", reason: "Read-only file system")),
        (ENOSPC, .full(path: "/q", bytes: 7, reason: "No space left on device")),
        (EDQUOT, .full(path: "/q", bytes: 7, reason: "Disk quota exceeded")),
        (EFBIG, .full(path: "/q", bytes: 7, reason: "File too large")),
        (ELOOP, .foreign(path: "/q", reason: "Too many levels of symbolic links")),
        (EISDIR, .foreign(path: "/q", reason: "Is a directory")),
        (ENXIO, .foreign(path: "/q", reason: "No such device or address")),
        (ENODEV, .unsupported(path: "/q", reason: "No such device")),
        (ENOSYS, .unsupported(path: "/q", reason: "Function not implemented")),
        (ENOLCK, .unsupported(path: "/q", reason: "No locks available")),
        (EINVAL, .unsupported(path: "/q", reason: "Invalid argument")),
        (EMFILE, .unopened(path: "/q", reason: "Too many open files")),
        (EIO, .unopened(path: "/q", reason: "Input/output error")),
      ] as [(CInt, JournalError)])
    func `a SystemError is converted to a JournalError with the system's reason`(
      _ number: CInt, _ error: JournalError
    ) {
      #expect(JournalError(SystemError(number: number), path: "/q", bytes: 7) == error)
    }
  #endif

  @Test func `opening a journal twice in one process throws inUse`() throws {
    let journal = try queue.open()
    journal.append("one")
    let error = self.error { try queue.open() }
    #expect(error == .inUse(path: queue.file, process: Int(getpid())))
    #expect(error.map { "\($0)" }?.contains(" \(getpid()) ") == true)
    // The one that has it goes on.
    journal.append("two")
    #expect(journal.texts() == ["one", "two"])
    journal.close()
    #expect(try queue.open().count == 2)
  }

  @Test func `opening a journal that another process uses throws inUse with that process's ID`()
    async throws
  {
    let place = queue.folder.path("progress")
    let progress = try SharedProgress(path: place, threads: 1)
    let process = try ChildProgram(
      Products.program("JournalWriter").path, ["hold", queue.folder.path("queue"), place])
    #expect(await Patience.waitIdly { progress.phase == .writing })
    let number = Int(process.number)
    let error = error { try queue.open() }
    #expect(error == .inUse(path: queue.file, process: number))
    #expect(error.map { "\($0)" }?.contains(" \(number);") == true)
    process.killed()
    #expect(try queue.open().count == 0)
  }

  @Test func `opening a journal waits until a forked process releases its copy of the lock`() throws
  {
    try queue.open().close()
    // As in a child that was forked before the journal was closed, and runs its program later.
    let copy = try FileDescriptor.existing(queue.file, toWrite: true)
    #expect(try copy.lock())
    func open(_ patience: Duration) throws -> Journal {
      try Journal(folder: queue.folder.path("queue"), file: "queue", .init(), patience: patience)
    }
    #expect(error { try open(.zero) } == .inUse(path: queue.file, process: Int(getpid())))
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { copy.close() }
    let journal = try open(Patience.short)
    #expect(journal.append("one") && journal.texts() == ["one"])
  }

  @Test func `opening a journal at a path that isn't a folder throws notAFolder`() throws {
    try queue.folder.write("text", to: "queue")
    let path = queue.folder.path("queue")
    #expect(error { try queue.open() } == .notAFolder(path: path))
    #expect(error { try Journal(folder: path + "/in/it") } == .notAFolder(path: path + "/in/it"))
    #expect(error { try Journal(folder: "") } == .notAFolder(path: ""))
    #expect(try queue.folder.text("queue") == "text")
  }

  private func isForeign(_ error: JournalError?) -> Bool {
    if case .foreign(queue.file, _) = error { true } else { false }
  }

  @Test
  func `opening another program's file as a journal throws the error foreign and changes nothing`()
    throws
  {
    let texts = [Array("AmbLines".utf8), Array("text".utf8), [UInt8](repeating: 0, count: 9) + [1]]
    // The first frame begins with its position, but its length is too large, or the file ends
    // within its head.
    let record = [UInt8](repeating: 7, count: 65_536) + [UInt8](repeating: 0, count: 8)
    for text in texts + [
      [UInt8](repeating: 7, count: 200_000), texts[2] + [0, 0, 0, 0],
      record + [UInt8](repeating: 7, count: 4_096), record,
    ] {
      try queue.write(text)
      let error = self.error { try queue.open() }
      #expect(isForeign(error), "\(String(describing: error))")
      #expect(try queue.bytes() == text)
    }
  }

  @Test
  func `opening a symbolic link, a folder or a pipe as a journal throws the error foreign`()
    throws
  {
    let manager = FileManager.default
    let make: [() throws -> Void] = [
      { try manager.createSymbolicLink(atPath: queue.file, withDestinationPath: "/dev/null") },
      { try manager.createSymbolicLink(atPath: queue.file, withDestinationPath: "nowhere") },
      { try manager.createDirectory(atPath: queue.file, withIntermediateDirectories: false) },
      { #expect(mkfifo(queue.file, 0o600) == 0) },
      {
        try queue.folder.write("", to: "other")
        try manager.linkItem(atPath: queue.folder.path("other"), toPath: queue.file)
      },
    ]
    try queue.folder.makeFolder("queue")
    for (number, make) in make.enumerated() {
      try make()
      let error = self.error { try queue.open() }
      #expect(isForeign(error), "\(number): \(String(describing: error))")
      try manager.removeItem(atPath: queue.file)
    }
  }

  @Test func `opening a file that is larger than any journal throws the error foreign`() throws {
    try queue.folder.write("", to: "queue/queue")
    try #require(truncate(queue.file, 1 << 40) == 0)
    #expect(isForeign(error { try queue.open() }))
  }

  @Test(
    arguments: [
      ([ENOTDIR, EEXIST], .notAFolder(path: "/q")),
      ([EACCES, EPERM, EROFS], .notPermitted(path: "/q", reason: "")),
      ([ENOSPC, EDQUOT, EFBIG], .full(path: "/q", bytes: 9, reason: "")),
      ([ELOOP, EISDIR, ENXIO], .foreign(path: "/q", reason: "")),
      (
        [ENODEV, EOPNOTSUPP, ENOTSUP, ENOSYS, ENOLCK, EINVAL],
        .unsupported(path: "/q", reason: "")
      ),
      ([EIO, ENOENT, EMFILE], .unopened(path: "/q", reason: "")),
    ] as [([CInt], JournalError)])
  func `each system error number maps to its JournalError case`(
    numbers: [CInt], expected: JournalError
  ) {
    for number in numbers {
      let error = JournalError(SystemError(number: number), path: "/q", bytes: 9)
      // Compares the cases: the reason is the system's text.
      let found = Mirror(reflecting: error).children.first?.label
      #expect(found == Mirror(reflecting: expected).children.first?.label, "\(number)")
    }
  }

  @Test(arguments: [0, 2, 77])
  func `opening a journal of another version throws otherVersion and leaves it unchanged`(
    _ version: UInt8
  )
    throws
  {
    do { try queue.open().append("one") }
    var bytes = try queue.bytes()
    bytes[12] = version
    // A version is believed if the check is right.
    var check: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes[..<24] { check = (check ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for place in 0..<8 { bytes[24 + place] = UInt8(truncatingIfNeeded: check >> (8 * place)) }
    try queue.write(bytes)
    #expect(error { try queue.open() } == .otherVersion(path: queue.file, version: Int(version)))
    #expect(try queue.bytes() == bytes)
  }

  @Test(
    .enabled("root may write everywhere, and setpriv is missing") {
      geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
    })
  func `opening a journal without write permission fails with a message that says so`() async throws
  {
    let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    func run(_ folder: String) async throws -> Command {
      let program = try Products.program("JournalWriter").path
      return try await Command.run((geteuid() == 0 ? nobody : []) + [program, "open", folder])
    }
    try queue.folder.makeFolder("locked")
    chmod(queue.folder.path("locked"), 0o555)
    chmod(queue.folder.path, 0o755)
    for folder in ["locked", "locked/in/it"] {
      let result = try await run(queue.folder.path(folder))
      #expect(result.status == 3 && result.output.contains("“\(queue.folder.path(folder))"))
    }
    // A file that may only be read.
    if geteuid() == 0 {
      do { try queue.open().append("one") }
      let result = try await run(queue.folder.path("queue"))
      #expect(result.status == 3 && result.output.contains("Permission denied"), "\(result.output)")
      #expect(try queue.open().count == 1)
    }
  }

  @Test(arguments: ["~", "~/q", "$HOME/q", "file:///q", "a\0b"])
  func `opening a journal at a path in shell or URL syntax throws and creates no file`(
    _ path: String
  ) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let folder = TemporaryFolder()
      try #require(chdir(folder.path) == 0)
      let advice = try #require(SystemError.fault(of: path)).description
      for attempt in [
        { _ = try Journal(folder: path) }, { _ = try EventQueue(folder: path) },
      ] as [() throws -> Void] {
        let error = #expect(throws: (any Error).self) { try attempt() }
        #expect(error.map { "\($0)".contains(advice) } == true, "\(error as Any)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test func `journals don't interfere, and a closed journal's path can be opened again`() throws {
    let journal = try queue.open()
    let folder = queue.folder.path("other/folders/")
    let other = try Journal(folder: folder)
    journal.append("one")
    other.append("two")
    #expect(journal.texts() == ["one"] && other.texts() == ["two"])
    journal.close()
    let next = try queue.open()
    #expect(next.texts() == ["one"])
    // What is closed does nothing, and nothing to the next.
    #expect(!journal.append("three") && journal.texts() == [])
    #expect(journal.erase { _ in true } == 0 && journal.oldest == nil)
    journal.synchronize()
    journal.close()
    #expect((journal.count, journal.byteCount) == (0, 0))
    #expect(next.texts() == ["one"])
    #expect(error { try queue.open() } != nil)
  }
}

#if os(Linux)
  @Suite(.withoutSanitizer) struct `Failing journal synchronization` {
    @Test
    func `a failed sync of a journal is reported once, and again only after a successful sync`()
      async
    {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolder()
        let journal = try Journal(folder: folder.path)
        let file = open(folder.path("queue"), O_RDWR)
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let map = try #require(maps.split(separator: "\n").first { $0.hasSuffix("/queue") })
        let start = try #require(map.split(separator: "-").first.flatMap { UInt($0, radix: 16) })
        let (place, page) = (1 << 20, 65_536)
        let reports = Reports()
        Diagnostics.withInstance(reports) {
          for isSound in [false, false, true, false] {
            // Valid: pages of the journal's mapping, which nothing reads meanwhile. Without them,
            // msync(2) fails.
            let memory = UnsafeMutableRawPointer(bitPattern: start + UInt(place))
            munmap(memory, page)
            if isSound {
              _ = mmap(
                memory, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, off_t(place))
            }
            journal.synchronize()
          }
        }
        precondition(reports.all.map(\.kind) == [.writeFailed, .writeFailed], "\(reports.all)")
      }
    }
  }
#endif

/// A small disk of its own, where the user may mount one.
@Suite(
  .long, .withoutSanitizer, .serialized,
  .enabled(if: SmallDisk.isPossible, "needs unshare(1) and the right to mount a tmpfs"))
struct `Journals on a full disk` {
  @Test func `opening a journal on a full disk fails and leaves no file`() async throws {
    let folder = TemporaryFolder()
    let result = try await SmallDisk.run(
      "JournalWriter", in: folder,
      """
      $PROGRAM open $DISK/queue || echo status $?
      ls $DISK/queue
      # A smaller one has room.
      $PROGRAM open $DISK/queue 65536
      """)
    #expect(result.output.contains(" \(65_536 + 16 << 20) bytes "), "\(result.output)")
    #expect(result.output.contains("status 3\n0 wait\n"), "\(result.output)")
  }

  @Test func `a journal that was opened before the disk filled up still accepts records`()
    async throws
  {
    let folder = TemporaryFolder()
    let result = try await SmallDisk.run(
      "JournalWriter", in: folder,
      """
      $PROGRAM fill $DISK/queue 9000 $PWD/go &
      while [ "$(stat -c %s $DISK/queue/queue 2>/dev/null || echo 0)" -lt 327680 ]; do
        sleep 0.01
      done
      head -c 2000000 /dev/zero > $DISK/filler || true
      touch go; wait $! && echo whole
      """)
    #expect(result.output.contains("9000 were taken\nwhole"), "\(result.output)")
  }
}
