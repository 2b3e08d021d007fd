// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// The bytes of a file that was compressed by gzip and then encoded in base 64.
package func unzipped(_ text: String) async throws -> [UInt8] {
  let folder = TemporaryFolder()
  try #require(Data(base64Encoded: text)).write(to: folder.url.appending(path: "file.gz"))
  let result = try await Command.run("gzip", "-d", folder.path("file.gz"))
  try #require(result.status == 0, "\(result.output)")
  return try Array(Data(contentsOf: folder.url.appending(path: "file")))
}
