/// Brings the lines that dead writers left in their buffers to their file, each exactly once.
struct BufferRecovery {
  /// How many lines were brought there.
  private(set) var lines = 0
  /// What could not be.
  private(set) var faults: [BufferFault] = []

  /// Recovers all buffers of the file, which has that absolute path.
  init(of target: String, _ options: FileOptions, _ rotation: Rotation? = nil) {
    let place = BufferFile(target: target, folder: options.bufferFolder)
    for path in place.paths() {
      do throws(BufferFault) {
        if let ring = try place.orphan(at: path) {
          try bring(ring, at: path, to: target, options, rotation)
        }
      } catch {
        if case .damaged = error { place.putAside(path) }
        faults.append(error)
      }
    }
  }

  private mutating func bring(
    _ ring: LineRing, at path: String, to target: String, _ options: FileOptions,
    _ rotation: Rotation?
  ) throws(BufferFault) {
    do throws(SystemError) {
      let now = rotation?.now
      let rotator = rotation?.rotator(for: target, options, source: "FileLog \(target)")
      var file = OpenFile(
        path: target, options, try OpenFile.open(target, options.permissions), rotator)
      lines += ring.waitingLines
      // In a file that is full or stuck they stay; the next opening looks again what is there.
      let end = ring.committed
      while ring.drained < end {
        let before = ring.drained
        if let error = file.drain(ring, until: end, now) { throw error }
        if ring.drained == before { throw .busy }
      }
      if let error = file.synchronize(atOnce: true) { throw error }
    } catch {
      throw .unwritten(path: path, file: target, reason: error.description)
    }
    BufferFile.remove(path)
  }
}
