import Ambient
