internal import Ambient
internal import Foundation

extension CheckoutDesk {
  /// Checks that all of the goods may be sold now.
  func checkHours(of lines: [BasketLine]) throws(CheckoutError) {
    let now = time.now  // one instant for all lines
    for line in lines {
      guard let hours = try shop.catalogue.product(line.sku).saleHours else { continue }
      guard hours.contains(now, in: shop.zone) else { throw .outsideSaleHours(line.sku, hours) }
    }
  }

  func checkAge(_ born: LocalDate?, for lines: [BasketLine]) throws(CheckoutError) {
    for line in lines {
      guard let limit = try shop.catalogue.product(line.sku).minimumAge else { continue }
      guard let born else { throw .unknownAge(line.sku, years: limit.years) }
      guard limit.admits(born: born, in: shop.zone) else {
        throw .underAge(line.sku, years: limit.years)
      }
    }
  }

  func check(born: LocalDate?) throws(CheckoutError) {
    if let born, born > shop.zone.date(of: time.now) { throw .notYetBorn(born) }
  }

  /// Updates the basket after a checkout. Logs a failure instead of throwing it, so that the caller
  /// still gets the order or the error of the checkout.
  func updateBasket(_ update: () async throws(CheckoutError) -> Void) async {
    do throws(CheckoutError) { try await update() } catch {
      log.error("basket not up to date after the checkout", ["reason": error.code])
    }
  }

  /// Logs the failure of a step, with only the code of the error, because its description may
  /// contain the user's input.
  func logged<R>(
    _ message: LogMessage, _ step: () async throws(CheckoutError) -> R
  ) async throws(CheckoutError) -> R {
    do throws(CheckoutError) { return try await step() } catch {
      log.warning(message, ["reason": error.code])
      throw error
    }
  }
}
