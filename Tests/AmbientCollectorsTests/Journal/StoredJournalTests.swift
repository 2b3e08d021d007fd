// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

/// A queue's file with forty records, of which ten were acknowledged.
@Suite struct `Stored journal files` {
  private static let file = """
    H4sIAAAAAAACA+3XX2hWdRzH8ePUyKExuoiQpCWKE0U298cNU470FwqsJFoGuWxmKzZrsjCCPEEXElQzNCzChpN6pMI/\
    UQyE8YwILJnkGmS5YAVixlKSloK0MnsO+/1u+gNdvl7jOc/F9w2D87kYW9W+/t6uDV0bkmTK5Z8//fWc+tuuoU/ahib2\
    zEz+Vv+V5+L2/Dv5j6quPN/ry78TAAAA4H+36h/+//eGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIXX35s3D28HAyOv+biYeuSjo3PLqps7WyujK475654Ll0bn14r0mD+7xfjn+Y\
    td4a3pe2BPfy9gc3Ft9ZE95rs+DefeKDW5Iz68N7XU9wX3Ds4bF0UWd4ry8G97KRC4NZ+wvhvWE0uFccvG9fcX93eF+W\
    TJm8X+zesTo5/3Z4b6wM7i0dvxfSuv3hvSkt3Wdc/ryx7mR99kx/9H6qS7//8aBrTlv3FvsGo66m1HUH3eq9p3cml0ai\
    bmmp6wu6Y9u3DqYrxqKuttSNBt2cb8c/zbZeirq6/P2UTXZHn15xU3Gg/GTY1Ze66qA7sGhWZzJtdtQ1lLrmoNs9v2xJ\
    evvCqFtW6rKge63/uxXZtsaoayx1haBb27FzuPj5HVHXVOq+CLqBrRVfJbMeCLul+R4Xg27f9LfG09WPRV2+R+XUye7u\
    X88OZtu7oi7f486g2/TuwduKX74YdfkeTwVdT3lhbnLdjqjL99gVdFWHs2fT5t6oy/coBt3X59dcm715KOryPX4Iuudf\
    efVIcWQg6vI9KqZNdjd0nikkNx6PunyPxqA7tWv89fSR0ajL92gJupu/byhkvefCrjbfY1vQvXz9Sz8XT01EXb7HgaBb\
    99Pm7qTqmpGwy/c4EXR9TZeG0ifmRF2+RzJ9slvZ/9me7P3FUZfvURV0vT+eW1I8uzzq8j3uCbrCk/VtSc1dUZfvsSXo\
    ZhxdeX+6eW3U5Xv0BN3hjnkbs4/aoi7f40jQnV4+9nHxwpaoa/InDgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD4l/4ArGkvigAAAgA=
    """

  @Test func `a journal file from an earlier version opens with its records and accepts more`()
    async throws
  {
    let folder = TemporaryFolder()
    try await Data(unzipped(Self.file)).write(to: URL(filePath: folder.path("queue")))
    let journal = try Journal(folder: folder.path)
    #expect(journal.count == 30 && journal.dropped == Journal.Dropped())
    _ = Array("record 40".utf8).withUnsafeBytes { journal.append($0, at: Date()) }
    let texts = journal.batch(maximumCount: 100, maximumBytes: .max, now: Date()).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
    #expect(texts == (10...40).map { "record \($0)" })
    #expect(journal.oldest == Date(timeIntervalSince1970: 1_790_000_010))
  }
}
