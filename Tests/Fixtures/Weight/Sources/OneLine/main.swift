import Ambient

Log.info("order placed", ["total": 1_250])
