package import MailModel
package import Platform

extension Explanation {
  /// Why there are no lines about deliveries in their log.
  package init(unlogged error: SystemError) {
    self.init(
      .configuration,
      "the delivery log cannot be written: \(error.description)",
      hint: "delivery-log in the configuration names it; mail is sent all the same"
    )
  }
}
