// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@Suite(.long, .withoutSanitizer, .serialized) struct `Collectors of killed programs` {
  private typealias Hits = KilledTracker.Hits

  @Test func `each event whose track call returned is sent even if the program is killed`()
    async throws
  {
    var hits = Hits()
    let (kills, each) = (TestRun.rounds(8, all: 60, full: 200), 20)
    var round = 0
    // Where many are killed, more than that until each kind was hit.
    while round < kills || (kills >= 40 && !hits.isComplete && round < 4 * kills) {
      let tracker = try KilledTracker(TemporaryFolder())
      for _ in 0..<min(each, max(kills - round, 5)) {
        try await tracker.kill(round, &hits)
        round += 1
      }
      try await tracker.finish(&hits)
    }
    guard kills >= 40 else { return }
    print(hits)
    #expect(hits.isComplete, "\(hits)")
  }

  @Test func `each event whose track call returned is sent despite kills and server downtime`()
    async throws
  {
    var hits = Hits()
    for _ in 0..<TestRun.rounds(1, all: 1, full: 5) {
      let tracker = try KilledTracker(TemporaryFolder())
      for round in 0..<6 {
        // Two programs find nobody, and the next somebody.
        if round % 3 == 0 { tracker.server.refuse() }
        if round % 3 == 2 { try tracker.server.listen() }
        try await tracker.kill(round + 2, &hits)
      }
      try await tracker.finish(&hits)
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs unshare(1) and the right to mount a tmpfs"))
  func `on a full disk, creating a queue fails, and an existing queue loses no event`()
    async throws
  {
    let taken = Guarded<[NumberedEvent?]>([])
    let server = try LoopbackServer { _, request in
      taken.withLock { $0 += request.lines.map(NumberedEvent.init) }
      return .answer(200)
    }
    let folder = TemporaryFolder()
    let progress = try SharedProgress(path: folder.path("progress"), threads: 2)
    let kills = TestRun.rounds(3, all: 7, full: 25)
    // A busy machine may need more than half a second for the start of the program.
    let pauses = (1..<kills).map { _ in "0.\(Int.random(in: 100...400))" } + ["5"]
    let result = try await SmallDisk.run(
      "EventTracker", in: folder,
      """
      track() { $PROGRAM \(server.url) "" $DISK/queue progress 2 $1 262144 5; }
      fill() { head -c 2000000 /dev/zero > $DISK/filler || true; }
      fill
      track 10 || echo status $?
      ls $DISK/queue
      rm $DISK/filler
      track 10
      fill
      for pause in \(pauses.joined(separator: " ")); do
        $PROGRAM \(server.url) "" $DISK/queue progress 2 1000000 262144 5 &
        sleep $pause; kill -9 $!; wait $! || true
      done
      track 0 && echo whole
      """)
    #expect(result.output.contains(" bytes "), "\(result.output)")
    #expect(result.output.contains("status 3\n0\n"), "\(result.output)")
    #expect(result.output.hasSuffix("0\nwhole\n"), "\(result.output)")
    #expect(progress.lost == 0)
    let events = taken.withLock { $0 }
    let names = Set(events.compactMap(\.?.name))
    #expect(!events.contains(nil))
    for thread in 0..<2 {
      #expect(progress.count[thread] > 10)
      let missing = (0..<progress.count[thread]).filter { number in
        !names.contains(NumberedEvent.Name(thread: thread, number: number))
      }
      #expect(missing == [], "of thread \(thread)")
    }
    // As many as were within a call may have been tracked twice.
    let ids = Dictionary(grouping: events.compactMap(\.self), by: \.name)
    let changed = ids.values.count { Set($0.map(\.id)).count > 1 }
    #expect(changed <= 2 * kills)
  }
}
