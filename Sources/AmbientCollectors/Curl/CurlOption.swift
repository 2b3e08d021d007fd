// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  /// Options of curl_easy_setopt, by their numbers in libcurl's stable interface.
  enum CurlOption: CInt {
    // Options whose value is a long.
    case noProgress = 43
    case noBody = 44
    case followLocation = 52
    case verifyPeer = 64
    case freshConnect = 74
    case forbidReuse = 75
    case verifyHost = 81
    case httpVersion = 84
    case noSignal = 99
    /// CURLOPT_SSL_SESSIONID_CACHE
    case resumption = 150
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
    /// CURLOPT_CA_CACHE_TIMEOUT, from version 7.87 on: for how many seconds libcurl keeps the
    /// authorities.
    case authoritiesAge = 321
    /// From version 7.87 on. With this option, the removal of a handle does not wait for a thread
    /// that still resolves the host's name.
    case quickExit = 322

    // Options whose value is a pointer.
    /// CURLOPT_WRITEDATA
    case onBodyContext = 10_001
    case url = 10_002
    /// CURLOPT_ERRORBUFFER
    case words = 10_010
    /// CURLOPT_HTTPHEADER
    case fields = 10_023
    /// CURLOPT_SSLCERT
    case certificate = 10_025
    /// CURLOPT_HEADERDATA
    case onLineContext = 10_029
    case customRequest = 10_036
    /// CURLOPT_XFERINFODATA
    case onProgressContext = 10_057
    /// CURLOPT_CAINFO
    case authorities = 10_065
    /// CURLOPT_SSLKEY
    case key = 10_087
    /// CURLOPT_CAPATH
    case authoritiesFolder = 10_097
    /// CURLOPT_OPENSOCKETDATA
    case onSocketContext = 10_164
    /// CURLOPT_COPYPOSTFIELDS
    case copiedBody = 10_165
    /// CURLOPT_PROXY_CAINFO
    case proxyAuthorities = 10_246
    /// CURLOPT_PROXY_CAPATH
    case proxyAuthoritiesFolder = 10_247
    /// CURLOPT_PREREQDATA
    case onRequestContext = 10_313

    // Options whose value is a function.
    /// CURLOPT_WRITEFUNCTION
    case onBody = 20_011
    /// CURLOPT_HEADERFUNCTION
    case onLine = 20_079
    /// CURLOPT_OPENSOCKETFUNCTION
    case onSocket = 20_163
    /// CURLOPT_XFERINFOFUNCTION
    case onProgress = 20_219
    /// CURLOPT_PREREQFUNCTION, from version 7.80 on: libcurl calls the function when there is
    /// a connection, before it sends anything.
    case onRequest = 20_312

    // Options whose value is a curl_off_t.
    /// CURLOPT_POSTFIELDSIZE_LARGE
    case bodySize = 30_120
  }
#endif
