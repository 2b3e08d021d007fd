// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The currency codes of ISO 4217, list one, as of 2026, and the codes withdrawn since 2020, which
/// refunds still use.
enum CurrencyCode {
  private static let known = Set(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP \
    BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB \
    EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD \
    JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU \
    MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD \
    RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY \
    TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR \
    ZMW ZWG ZWL
    """.split(separator: " ").map(String.init))

  /// Whether ISO 4217 contains the code. The code must be in capital letters.
  static func isKnown(_ code: String) -> Bool { known.contains(code) }

  /// Returns the code in capital letters; nil if ISO 4217 has no such code. If the code is changed
  /// or unknown, adds a note to `inspection`.
  static func settle(
    _ value: AmbientValue, at field: String, _ inspection: inout EventInspection
  ) -> AmbientValue? {
    let demand = "an ISO 4217 currency code"
    let found = EventProblem.shown(of: value)
    // “ß” becomes “SS” in capital letters.
    guard case .string(let code) = value, code.utf8.allSatisfy({ $0 < 0x80 }),
      isKnown(code.uppercased())
    else {
      inspection.note(
        .currencyUnknown, at: field, needs: demand, found: found, .leftOut,
        "use a code such as USD")
      return nil
    }
    let settled = code.uppercased()
    if settled != code {
      inspection.note(
        .currencyUnknown, at: field, needs: demand, found: found, .changed(to: settled),
        "use capital letters")
    }
    return .string(settled)
  }
}
