import Ambient

enum Payment: String { case card }
struct Refused: Error {}

func guess(
  _ id: Int, _ text: String, _ error: any Error, _ none: (any Error)?, _ texts: [String: String],
  _ log: Log
) throws {
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.trace(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.trace("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.debug(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.debug("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.info(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.info("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.notice(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.notice("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.warning(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.warning("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.error(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.error("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.critical(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.critical("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  Log.log(.info, text, ["a": 1])
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.log(.info, "a", error)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.trace(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.trace("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.debug(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.debug("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.info(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.info("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.notice(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.notice("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.warning(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.warning("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.error(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.error("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.critical(text)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.critical("a", texts)
  // a message is a literal: write "\(text)", or LogMessage(text)
  log.log(.info, text, ["a": 1])
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.log(.info, "a", error)
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.info("a", ["error": Refused()])
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.info("a \(id, name: "id")", ["error": error])
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.info("a", ["payment": Payment.card])
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  Log.error("a", error, ["id": id])
  // write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last
  log.error("a", none)
  // write AmbientFields(dictionary), and values as .error(e), AmbientValue(describing: x)
  Analytics.track("a", texts)
  // write AmbientFields(dictionary), and values as .error(e), AmbientValue(describing: x)
  Analytics.instance.track("a", ["error": error])
  // write AmbientFields(dictionary), and values as .error(e), AmbientValue(describing: x)
  _ = Event("a", ["payment": Payment.card])
}
