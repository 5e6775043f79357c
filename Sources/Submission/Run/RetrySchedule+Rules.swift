internal import Configuration
internal import SpoolPlan

extension RetrySchedule {
  /// Takes over what an account says.
  mutating func apply(_ rules: RetryRules) {
    if let delays = rules.delays { self.delays = delays }
    if let lifetime = rules.lifetime { self.lifetime = lifetime }
    if let uncertain = rules.uncertain { self.uncertain = uncertain }
  }
}
