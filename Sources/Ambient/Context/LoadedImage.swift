// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && canImport(Runtime)
  internal import AmbientSystem
  internal import CAmbient
  internal import Runtime

  /// An image that the loader has mapped: the program's executable, or a library.
  ///
  /// `ImageMap.capture()` is not used. It reads the beginning of each mapped file, so that the
  /// program crashes if another thread unmaps a file meanwhile.
  struct LoadedImage {
    private let name: String
    /// The difference between an address in memory and the corresponding address in the file.
    let base: UInt
    /// The addresses from the image's beginning up to the end of its code.
    let addresses: Range<UInt>

    /// The program's images that have a file, in the order of their addresses.
    static var all: [LoadedImage] {
      // The loader holds a lock while it calls the visitor, which therefore only copies.
      var images: [LoadedImage] = []
      // Valid: the visitor is called only until `ambient_images` returns.
      withUnsafeMutablePointer(to: &images) { images in
        ambient_images(
          { image, images in
            guard let image = image?.pointee else { return }
            images?.assumingMemoryBound(to: [LoadedImage].self).pointee.append(LoadedImage(image))
          }, images)
      }
      return images.filter { $0.isProgram || $0.name.contains("/") }.sorted {
        $0.addresses.lowerBound < $1.addresses.lowerBound
      }
    }

    private init(_ image: ambient_image) {
      name = image.path.map { String(cString: $0) } ?? ""
      base = image.base
      addresses = image.start..<image.end
    }

    var isProgram: Bool { name.isEmpty }

    var path: String {
      guard isProgram else { return name }
      let link = "/proc/self/exe"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
    }

    /// The images as the standard library's symbolication takes them; `nil` if its format has
    /// changed.
    ///
    /// The map is decoded, because that is the only public way to make one of known images.
    static func map(of images: [LoadedImage]) -> ImageMap? {
      // The name of the platform, which some versions of the format have before the images.
      for platform in [[0], []] as [[UInt8]] {
        let bytes = [2] + platform + encoded(images)
        if let map = Backtrace.decoded(backtrace: [2], imageMap: bytes)?.images,
          map.count == images.count
        {
          return map
        }
      }
      return nil
    }

    /// The images in the Compact ImageMap Format of the Swift project, here without identifiers of
    /// builds and without common prefixes of paths.
    private static func encoded(_ images: [LoadedImage]) -> [UInt8] {
      var bytes = [UInt8(images.count >> 14 & 0x7F | 0x80), UInt8(images.count >> 7 & 0x7F | 0x80)]
      bytes.append(UInt8(images.count & 0x7F))
      for image in images {
        // The address and the size have eight bytes each.
        bytes.append(0x3F)
        for word in [image.addresses.lowerBound, UInt(image.addresses.count)] {
          withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
        }
        bytes.append(0)
        var path = Array(image.path.utf8)[...]
        while !path.isEmpty {
          let piece = path.prefix(63)
          bytes.append(UInt8(piece.count))
          bytes += piece
          path = path.dropFirst(63)
        }
        bytes.append(0)
      }
      return bytes
    }
  }

  extension Backtrace {
    /// Returns a backtrace of a single return address; `nil` if the format has changed.
    ///
    /// The form is the byte 2 (for words of 64 bits), then the byte 0x27 (a return address in
    /// eight bytes) and the address.
    static func calling(_ address: UInt) -> Backtrace? {
      decoded(backtrace: [2, 0x27] + withUnsafeBytes(of: address.bigEndian) { Array($0) })
    }

    /// Returns the backtrace that is decoded from its encoded form, because that is the only public
    /// way to make one.
    fileprivate static func decoded(backtrace: [UInt8], imageMap: [UInt8]? = nil) -> Backtrace? {
      #if arch(x86_64)
        let architecture = "x86_64"
      #else
        let architecture = "arm64"
      #endif
      var encoded = ["architecture": architecture]
      encoded["backtrace"] = Data(backtrace).base64EncodedString()
      encoded["imageMap"] = imageMap.map { Data($0).base64EncodedString() }
      return try? JSONDecoder().decode(Self.self, from: JSONEncoder().encode(encoded))
    }
  }
#endif
