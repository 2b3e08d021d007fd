// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && canImport(Runtime)
  import Foundation
  import Runtime
  import TestSupport
  import Testing

  @testable import Ambient

  @Suite struct `Loaded images` {
    @Test func `the list of loaded images can be read while another thread maps and unmaps files`()
      async
    {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolder()
        let path = folder.path("mapped")
        #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 4_096)))
        let end = DispatchSemaphore(value: 0)
        let file = open(path, O_RDONLY)
        Thread.detachNewThread {
          while end.wait(timeout: .now()) == .timedOut {
            let page = mmap(nil, 4_096, PROT_READ, MAP_SHARED, file, 0)
            #expect(page != MAP_FAILED && munmap(page, 4_096) == 0)
          }
        }
        // Each look-up of an address that was not looked up before needs the images.
        for address in 1...1_000 as ClosedRange<UInt> {
          _ = CallerTrace.Names(of: [CallerTrace([address])])
        }
        end.signal()
      }
    }

    @Test func `a backtrace symbolicated with LoadedImage matches the standard library's symbols`()
      async throws
    {
      await #expect(processExitsWith: .success) {
        let trace = try Backtrace.capture()
        let known = try #require(trace.symbolicated()).frames.map(\.description)
        let images = try #require(LoadedImage.map(of: LoadedImage.all))
        let found = try #require(trace.symbolicated(with: images)).frames.map(\.description)
        func names(_ frames: [String]) -> [String] {
          // The index of an image is among the images, of which a capture has more.
          frames.map { $0.replacing(#/\[[0-9]+\]/#, with: "") }
        }
        #expect(names(found) == names(known))
        #expect(found.contains { $0.contains(".swift:") })
      }
    }

    @Test func `LoadedImage.all contains the program and its libraries`() throws {
      let images = LoadedImage.all
      #expect(images.count(where: \.isProgram) == 1)
      let program = try #require(images.first { $0.isProgram })
      #expect(program.path.hasPrefix("/") && FileSystem.exists(program.path))
      let address = try #require(CallerTrace.capture().key.first)
      #expect(program.addresses.contains(address))
      #expect(images.contains { $0.path.hasSuffix("libswiftCore.so") })
      #expect(
        zip(images, images.dropFirst()).allSatisfy {
          $0.addresses.upperBound <= $1.addresses.lowerBound
        })
    }
  }
#endif
