import Ambient

func hello() { Log.debug("read") }

hello()
Log.instance = NoLog()
