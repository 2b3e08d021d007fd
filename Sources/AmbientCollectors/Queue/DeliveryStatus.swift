// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The state of a collector: its waiting and refused events, and the numbers of events that were
/// delivered or lost.
///
/// Delivered and lost events are counted from the opening of the collector's queue.
public struct DeliveryStatus: Hashable, Sendable {
  /// The number of waiting events.
  public let waiting: Int
  /// The total size of the waiting events' lines, in bytes.
  ///
  /// In the queue, each event takes 24 to 31 bytes more (``EventQueue/Options/capacity``).
  public let waitingBytes: Int
  /// The time of the oldest waiting event; nil if no event waits.
  public let oldest: Date?
  /// The number of delivered events.
  public let delivered: Int
  /// The number of lost events by reason: events that were tracked and will not be delivered.
  public let lost: [String: Int]
  /// The number of events that were removed when consent was denied, or were passed to the
  /// collector while consent was denied or the collector was off.
  ///
  /// Most events are not even created meanwhile, because `isEnabled` is false, and such events are
  /// not counted.
  public let withheld: Int
  /// The number of events in the file of refused events, including those of earlier starts.
  /// ``EventQueue/retryRefused(in:)`` moves them back to the queue.
  public let refused: Int
  /// The number of refused events that the file dropped, because the file was full or the events
  /// were too old or damaged.
  public let forgotten: Int
  /// Whether the collector is off, so that it accepts and sends nothing.
  ///
  /// An ``OTLPAnalytics`` or ``OTLPLog`` is off if the environment variable `OTEL_SDK_DISABLED` is
  /// true.
  public let isDisabled: Bool
  /// The number of waiting events that are sent again later, each alone, by reason: the answers to
  /// them do not say whether the event is at fault.
  ///
  /// The other events do not wait for them.
  public let setAside: [String: Int]
  /// The failure of the last attempt to deliver, which keeps events waiting; nil if the attempt
  /// succeeded, or if no event waits.
  ///
  /// Events in ``setAside`` have no effect on it while others are accepted.
  public let trouble: DeliveryTrouble?
}
