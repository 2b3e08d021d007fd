// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && canImport(Runtime)
  import Runtime
  import Testing

  @testable import Ambient

  @Suite struct `Caller symbols` {
    /// In a process of its own, where no other thread unmaps a file that the capture reads.
    @Test func `only functions of the program, not those of libraries, are reported as callers`()
      async
    {
      await #expect(processExitsWith: .success) {
        let known = try #require(
          Backtrace.capture().symbolicated()?.frames.first {
            $0.symbol?.sourceLocation != nil && !$0.isSystem && !$0.isSwiftThunk
          })
        let location = try #require(known.symbol?.sourceLocation)
        func caller(_ name: String, _ path: String? = nil, _ line: Int = 7) -> CallerSymbol? {
          var (frame, place) = (known, location)
          place.path = path ?? ""
          place.line = line
          frame.symbol = SymbolicatedBacktrace.Symbol(
            imageIndex: 0, imageName: "shop", rawName: name, offset: 0,
            sourceLocation: path == nil ? nil : place)
          return CallerSymbol(frame)
        }
        let package = #filePath.replacing(#/Tests/AmbientTests/.*/#, with: "")
        let run = "$s4Shop3runyyF"
        for name in ["main", "async_Main", "Shop_main"] {
          #expect(caller(name)?.description == "main")
          #expect(caller(name)?.hasPlace == false)
          #expect(caller(name, "/shop/main.swift")?.description == "/shop/main.swift:7, in main")
        }
        for name in [
          run, "$sSi4ShopE3runyyF", "$sSa4ShopSiRszlE3runyyF", "$ss12StaticStringV4ShopE3runyyF",
          "$sSi4ShopE3runyySSsE4ViewVF",
        ] {
          #expect(caller(name)?.description.contains("run(") == true, "\(name)")
          #expect(caller(name)?.hasPlace == false)
        }
        #expect(caller(run, "/shop/main.swift", 0)?.hasPlace == false)
        #expect(caller(run, "/shop/main.swift", 1)?.hasPlace == true)
        let placed = caller(run, "/shop/main.swift")
        #expect(placed?.description.hasPrefix("/shop/main.swift:7, in ") == true)
        #expect(placed?.description.contains("run()") == true)
        // Functions of the standard library, of C and of the system, without and with a place.
        for name in ["run", "__libc_run_main", "Shop_mainly"] {
          #expect(caller(name) == nil, "\(name)")
          #expect(caller(name, "/shop/run.c") == nil, "\(name)")
        }
        #expect(caller("$ss3runyyF") == nil)
        for name in ["$sSa6appendyyxnF", "$sSasE3runyyF"] {
          #expect(caller(name) == nil, "\(name)")
        }
        #expect(caller("$ss3runyyF", "/swift/stdlib/public/Run.swift") == nil)
        #expect(caller("$ss3runyyF", "/shop/Run.swift") != nil)
        for name in ["$s7Ambient3runyyF", "$s14AmbientTesting3runyyF"] {
          #expect(caller(name) == nil, "\(name)")
        }
        // Another module's extension of this one's types, which only its place tells from these.
        #expect(caller("$s7Ambient3LogC4ShopE3runyyF") == nil)
        #expect(caller("$s7Ambient3LogC4ShopE3runyyF", "/shop/Run.swift") != nil)
        for folder in ["Sources/Ambient/", "Sources/AmbientTesting/"] {
          #expect(caller(run, "\(package)\(folder)Run.swift") == nil, "\(folder)")
          #expect(caller(run, "\(folder)Run.swift") == nil, "\(folder)")
        }
        #expect(caller(run, "\(package)Sources/AmbientShop/Run.swift") != nil)
        #expect(caller(run, "/shop/@__swiftmacro_4Shop.swift") == nil)
        var frame = known
        frame.symbol = nil
        #expect(CallerSymbol(frame) == nil)
      }
    }
  }

  @Suite struct `Caller traces` {
    private func key(_ depth: Int) -> [UInt] {
      let key = depth == 0 ? CallerTrace.capture().key : key(depth - 1)
      // Not a tail call, which would leave no frame.
      return withExtendedLifetime(depth) { key }
    }

    @Test func `a CallerTrace keeps at most the 32 innermost calls of the stack`() {
      #expect(key(200).count == 32)
      #expect((2...32).contains(key(0).count))
    }
  }
#endif
