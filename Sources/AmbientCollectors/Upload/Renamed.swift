/// The former name of ``EventDestination``, which was too general for a module that is imported.
@available(*, unavailable, renamed: "EventDestination")
public typealias Destination = EventDestination

/// The former name of ``EventEntry``, which was too general for a module that is imported.
@available(*, unavailable, renamed: "EventEntry")
public typealias Entry = EventEntry

/// The former name of ``EventRefusal``, which was too general for a module that is imported.
@available(*, unavailable, renamed: "EventRefusal")
public typealias Refusal = EventRefusal

/// The former name of ``DeliveryVerdict``, which was too general for a module that is imported.
@available(*, unavailable, renamed: "DeliveryVerdict")
public typealias Verdict = DeliveryVerdict
