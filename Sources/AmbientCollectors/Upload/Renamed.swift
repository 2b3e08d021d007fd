/// The former name of ``EventDestination``. It was changed, because programs may declare their own
/// type `Destination`.
@available(*, unavailable, renamed: "EventDestination")
public typealias Destination = EventDestination

/// The former name of ``EventEntry``. It was changed, because programs may declare their own
/// type `Entry`.
@available(*, unavailable, renamed: "EventEntry")
public typealias Entry = EventEntry

/// The former name of ``EventRefusal``. It was changed, because programs may declare their own
/// type `Refusal`.
@available(*, unavailable, renamed: "EventRefusal")
public typealias Refusal = EventRefusal

/// The former name of ``DeliveryVerdict``. It was changed, because programs may declare their own
/// type `Verdict`.
@available(*, unavailable, renamed: "DeliveryVerdict")
public typealias Verdict = DeliveryVerdict
