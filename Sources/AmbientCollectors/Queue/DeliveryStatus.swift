// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The state of a collector: its waiting and refused events, and the numbers of events that were
/// delivered or lost.
///
/// Delivered, lost, withheld and forgotten events are counted from the opening of the collector's
/// queue.
public struct DeliveryStatus: Hashable, Sendable {
  /// The number of waiting events.
  public let waiting: Int
  /// The total size of the waiting events' lines, in bytes.
  ///
  /// In the queue, each event takes 24 to 31 bytes more (``EventQueue/Options/capacity``).
  public let waitingBytes: Int
  /// The time of the waiting event that was queued first; nil if no event waits.
  public let oldest: Date?
  /// The number of delivered events.
  public let delivered: Int
  /// The number of lost events by reason, including refused events.
  ///
  /// Lost events are not sent again, with two exceptions: ``EventQueue/retryRefused(in:)`` moves
  /// the events in the file of refused events back to the queue, and a collector that opens a
  /// queue's moved file sends the events in it. After 32 reasons, further reasons of refusals and
  /// answers count as “other reasons”.
  public let lost: [String: Int]
  /// The number of waiting events that were removed when consent was denied, and of events that
  /// came while it was denied or the collector was off.
  ///
  /// Most events are not even created meanwhile, because `isEnabled` is false, and such events are
  /// not counted.
  public let withheld: Int
  /// The number of events in the file of refused events, including those of earlier starts.
  ///
  /// ``EventQueue/retryRefused(in:)`` moves them back to the queue.
  public let refused: Int
  /// The number of refused events that their file lost: it was full or gone, or they were too old
  /// or damaged.
  public let forgotten: Int
  /// Whether the collector is off, so that it neither accepts nor sends anything.
  ///
  /// An ``OTLPAnalytics`` or ``OTLPLog`` is off if the environment variable `OTEL_SDK_DISABLED` is
  /// true.
  public let isDisabled: Bool
  /// The number of waiting events that are sent again later, each alone, by reason.
  ///
  /// The answers to them, or broken connections, do not show whether the event is at fault. The
  /// other events do not wait for them, unless the server asks for a wait or seems to fail.
  public let setAside: [String: Int]
  /// The failure of the last attempt to deliver, which keeps events waiting; nil if the attempt
  /// succeeded, or if no event waits.
  ///
  /// An event in ``setAside`` has an effect on it only if no other event was accepted since, if the
  /// server asked for a wait, or if the attempt got no answer.
  public let trouble: DeliveryTrouble?
}
