// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Shop: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, zone, products, stock, promotions, coupons, tax, shipping, terms, withdrawalDays
  }

  /// Reads the fields; all but name, zone, products and tax may be missing.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    try self.init(
      name: try fields.decode(String.self, forKey: .name),
      zone: try fields.decode(Zone.self, forKey: .zone),
      products: try fields.decode([Product].self, forKey: .products),
      stock: try fields.decodeIfPresent([SKU: WholeNumber].self, forKey: .stock)?
        .mapValues(\.value) ?? [:],
      promotions: try fields.decodeIfPresent([Promotion].self, forKey: .promotions) ?? [],
      coupons: try fields.decodeIfPresent([Coupon].self, forKey: .coupons) ?? [],
      tax: try fields.decode(TaxSchedule.self, forKey: .tax),
      shipping: try fields.decodeIfPresent(ShippingTerms.self, forKey: .shipping),
      terms: try fields.decodeIfPresent(CheckoutTerms.self, forKey: .terms) ?? .standard,
      withdrawalDays: try fields.decodeIfPresent(WholeNumber.self, forKey: .withdrawalDays)?.value)
  }

  /// Reads a shop from JSON.
  ///
  /// - Parameters:
  ///   - json: The content of a shop file.
  ///   - file: The name of the file, for error messages.
  /// - Throws: ``ShopFileError``, which names the file and the field.
  public init(json: Data, file: String) throws(ShopFileError) {
    do {
      self = try JSONDecoder().decode(Shop.self, from: json)
    } catch let fault as ShopFault {
      throw ShopFileError(file: file, field: fault.field, problem: fault.problem)
    } catch {
      let fault = DecodingFault(error, in: json)
      throw ShopFileError(file: file, field: fault.field, problem: fault.problem)
    }
  }

  /// Reads a shop from the file at `path`.
  ///
  /// - Parameter path: The path of the file, relative to the current folder if it is not absolute.
  /// - Throws: ``ShopFileError``, which names the file and the field.
  public init(contentsOf path: String) throws(ShopFileError) {
    var status = stat()
    // Only regular files and folders pass: opening a pipe would block, and a device may have no
    // end. A folder fails later, when it is read.
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw ShopFileError(file: path, field: "", problem: .unreadable("it is not a regular file"))
    }
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw ShopFileError(
        file: path, field: "", problem: .unreadable(FoundationReason.ofFile(error)))
    }
    try self.init(json: data, file: path)
  }
}
