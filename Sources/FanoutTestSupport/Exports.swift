// The checks speak of trackers, scopes and events: a test that uses them needs one import.
@_exported public import FanoutLifetime
