import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A buffer in version 1 of the format, whose lines have no frames.
@Suite struct `A buffer of version 1` {
  private let folder = TemporaryFolder()
  private let bytes: Data
  private var path: String { folder.path("shop.log") }
  private var buffer: String {
    folder.path(".ambient-\(BufferFile.hash(of: "shop.log"))-1.buffer")
  }
  private var refusal: BufferError { .otherVersion(path: buffer, version: 1) }

  private static let file = """
    H4sIAAAAAAACA+3UvWrVYBzH8dRu3VycHDp17DFvT/IMIu5urk5C1QN9gzq4OnR0EoTibXgHXoI34OZt2J78MorQrfD5\
    BPLPgeRLXh7Oy7O3r7bnJ1dNs3e73Tpsdva/X7/+8/xNaf7jyf7dvn3R3NO33f7zj738fvSP845ywu9fj7/8vHn69e54\
    8/HscvNu+2lz9eHi8vj04n0DAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAADAfZ1uz08Onx3sRruMbhn9MoZljMsoy5iWMS+j5vI1k06bUJtSm1SbVptYm1qbXJtel1633ld6XXpd\
    el16XXpdel16XXp9en16/fqg6fXp9en16fXp9en16Q3pDekN6Q3rm0tvSG9Ib0hvSG9Ib0xvTG9Mb0xvXD9FemN6Y3pj\
    emN6Jb2SXkmvpFfSK+u3Ta+kV9Ir6U3pTelN6U3pTelN6U3rYklvSm9Kb05vTm9Ob05vTm9Ob05vXldfenN6Nb2aXk2v\
    plfTq+nV9Gp6dV3O9cD/AgAAAAAAAPDw/AVe0E4CACABAA==
    """

  init() async throws {
    bytes = try await Data(unzipped(Self.file))
    try bytes.write(to: URL(filePath: buffer))
  }

  @Test func `is refused by a recovery, and stays as it is`() throws {
    #expect(throws: refusal) { try FileLog.recover(path: path) }
    #expect(try Data(contentsOf: URL(filePath: buffer)) == bytes)
    #expect(!FileSystem.exists(path))
  }

  @Test(.quiet) func `is reported when its log is opened, and stays as it is`() throws {
    let log = try FileLog(path: path, level: .info)
    log.info("a line")
    log.flush()
    #expect(Test.reports.map(\.message) == [refusal.description])
    #expect(try Data(contentsOf: URL(filePath: buffer)) == bytes)
    #expect(try folder.text("shop.log").contains("a line"))
  }
}
