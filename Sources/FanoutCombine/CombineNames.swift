// The one place that says which Combine this is: Apple's, or OpenCombine where that one is not
// there. The names below stand for its declarations, as both modules have those of Fanout too.

#if canImport(Combine)
  public import Combine

  /// A publisher of Combine's.
  public typealias CombinePublisher = Combine.Publisher
  /// A subscriber of Combine's.
  public typealias CombineSubscriber = Combine.Subscriber
  /// A subscription of Combine's.
  public typealias CombineSubscription = Combine.Subscription
  /// The namespace of Combine's subscribers, their demand and completion.
  public typealias CombineSubscribers = Combine.Subscribers
  /// An activity of Combine's that can be stopped.
  public typealias CombineCancellable = Combine.Cancellable
  /// Combine's owner of an activity.
  public typealias CombineAnyCancellable = Combine.AnyCancellable
  /// A scheduler of Combine's.
  public typealias CombineScheduler = Combine.Scheduler
  /// A time interval of a scheduler of Combine's.
  public typealias CombineTimeInterval = Combine.SchedulerTimeIntervalConvertible
#elseif canImport(OpenCombine)
  public import OpenCombine

  /// A publisher of OpenCombine's.
  public typealias CombinePublisher = OpenCombine.Publisher
  /// A subscriber of OpenCombine's.
  public typealias CombineSubscriber = OpenCombine.Subscriber
  /// A subscription of OpenCombine's.
  public typealias CombineSubscription = OpenCombine.Subscription
  /// The namespace of OpenCombine's subscribers, their demand and completion.
  public typealias CombineSubscribers = OpenCombine.Subscribers
  /// An activity of OpenCombine's that can be stopped.
  public typealias CombineCancellable = OpenCombine.Cancellable
  /// OpenCombine's owner of an activity.
  public typealias CombineAnyCancellable = OpenCombine.AnyCancellable
  /// A scheduler of OpenCombine's.
  public typealias CombineScheduler = OpenCombine.Scheduler
  /// A time interval of a scheduler of OpenCombine's.
  public typealias CombineTimeInterval = OpenCombine.SchedulerTimeIntervalConvertible
#endif
