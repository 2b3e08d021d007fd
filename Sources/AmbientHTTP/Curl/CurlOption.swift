#if !canImport(Darwin)
  /// Options of curl_easy_setopt, by their numbers in libcurl's stable interface.
  enum CurlOption: CInt {
    /// A value that is a long.
    case noBody = 44
    case followLocation = 52
    case verifyPeer = 64
    case freshConnect = 74
    case forbidReuse = 75
    case verifyHost = 81
    case httpVersion = 84
    case noSignal = 99
    case timeout = 155
    case connectTimeout = 156
    case protocols = 181
    /// From version 7.42 on.
    case pathAsIs = 234
    /// From version 7.54 on.
    case suppressConnectHeaders = 265
    /// From version 7.61 on.
    case disallowUser = 278
    /// From version 7.64 on.
    case http09 = 285
    /// From version 7.87 on: a resolver that hangs is left to itself when its handle goes.
    case quickExit = 322

    /// A value that is a pointer.
    case onBodyContext = 10_001
    case url = 10_002
    case words = 10_010
    case fields = 10_023
    case onLineContext = 10_029
    case customRequest = 10_036
    case authorities = 10_065
    case copiedBody = 10_165
    case onRequestContext = 10_313

    /// A value that is a function.
    case onBody = 20_011
    case onLine = 20_079
    /// From version 7.80 on: called when there is a connection, before anything is sent on it.
    case onRequest = 20_312

    /// A value that is a curl_off_t.
    case bodySize = 30_120
  }
#endif
