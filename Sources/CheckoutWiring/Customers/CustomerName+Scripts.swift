internal import Foundation

/// The check that a name mixes only scripts that are usually mixed, by the level “highly
/// restrictive” of https://www.unicode.org/reports/tr39/#Restriction_Level_Detection.
///
/// A character may belong to several scripts (Script_Extensions) and fits each of them; the
/// prolonged sound mark, for example, belongs to Hiragana and Katakana. Digits, spaces and other
/// characters without a script fit all scripts.
extension CustomerName {
  /// Whether all characters are of one script, or of scripts that are usually mixed.
  static func hasUsualScripts(_ name: String) -> Bool {
    let all = NSRange(name.startIndex..., in: name)
    return usual?.firstMatch(in: name, range: all) != nil
  }

  /// Sets of scripts that are usually mixed: Latin with the scripts of Japan, of China, or of
  /// Korea.
  private static let together = [
    ["Latn", "Hani", "Hira", "Kana"], ["Latn", "Hani", "Bopo"], ["Latn", "Hani", "Hang"],
  ]

  /// Matches a name whose characters all fit one set of scripts: a set of `together`, or a single
  /// script.
  private static let usual: NSRegularExpression? = {
    // The scripts of `alone` that the system does not know are left out, because the system rejects
    // a pattern with an unknown script.
    let known = alone.split(separator: " ").map { [String($0)] }
      .filter { (try? NSRegularExpression(pattern: set($0))) != nil }
    let sets = (together + known).map { set($0) + "*" }
    return try? NSRegularExpression(pattern: "\\A(?:\(sets.joined(separator: "|")))\\z")
  }()

  private static func set(_ scripts: [String]) -> String {
    "[" + (scripts + ["Zyyy", "Zinh"]).map { "\\p{scx=\($0)}" }.joined() + "]"
  }

  /// The scripts of Unicode, by their codes in ISO 15924.
  private static let alone = """
    Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi \
    Buhd Cakm Cans Cari Cham Cher Chrs Copt Cpmn Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp \
    Elba Elym Ethi Gara Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hang Hani Hano \
    Hatr Hebr Hira Hluw Hmng Hmnp Hung Ital Java Kali Kana Kawi Khar Khmr Khoj Kits Knda \
    Krai Kthi Lana Laoo Latn Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc \
    Medf Mend Merc Mero Miao Mlym Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa \
    Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx \
    Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sind Sinh Sogd Sogo Sora \
    Soyo Sund Sunu Sylo Syrc Tagb Takr Tale Talu Taml Tang Tavt Telu Tfng Tglg Thaa Thai \
    Tibt Tirh Tnsa Todr Toto Tutg Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb
    """
}
