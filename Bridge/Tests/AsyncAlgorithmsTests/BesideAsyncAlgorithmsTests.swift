import AsyncAlgorithms
import Fanout
import FanoutCore
import FanoutOperators
import FanoutTestSupport
import Testing
