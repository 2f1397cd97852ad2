// The checks use trackers, scopes and events, so a test that uses the checks needs only one import.
@_exported public import FanoutLifetime
