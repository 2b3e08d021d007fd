/// The former name of ``HTTPAnswer``. It was too general for programs that import the module.
@available(*, unavailable, renamed: "HTTPAnswer")
public typealias Answer = HTTPAnswer

/// The former name of ``HTTPTransport``. It was too general for programs that import the module.
@available(*, unavailable, renamed: "HTTPTransport")
public typealias Transport = HTTPTransport
