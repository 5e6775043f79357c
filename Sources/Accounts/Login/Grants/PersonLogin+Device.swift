internal import Configuration
internal import OAuth
internal import Platform
internal import Web

extension PersonLogin {
  /// Logs in on another device.
  func onDevice(_ target: Target) throws(LoginFailure) -> TokenResponse {
    guard let endpoint = target.endpoints.device else { throw .notOffered(.device) }
    let form = TokenRequest.deviceForm(scopes: target.scopes, client: target.client)
    let reply = try source { () throws(SecretError) in
      try server.send(.post(.form(form), to: endpoint))
    }
    let device: DeviceAuthorization
    do throws(ReplyFailure) {
      device = try DeviceAuthorization(reply)
    } catch {
      throw failure(error, endpoint)
    }
    tell(
      .type(
        code: device.userCode,
        at: device.verification,
        complete: device.completeVerification
      )
    )
    return try poll(device, target)
  }

  private func poll(
    _ device: DeviceAuthorization,
    _ target: Target
  ) throws(LoginFailure) -> TokenResponse {
    var poll = DevicePoll(device, now: Self.seconds)
    var step = poll.begin(now: Self.seconds)
    let form = TokenRequest.form(deviceCode: device.deviceCode, client: target.client)
    while true {
      switch step {
      case .ask(let pause):
        guard interruption.sleep(seconds: Double(pause)) else { throw .interrupted }
      case .expired: throw .timedOut
      case .failed(let failure): throw self.failure(failure, target.token)
      }
      do throws(SecretError) {
        let reply = try server.send(.post(.form(form), to: target.token))
        do throws(ReplyFailure) {
          return try TokenResponse(reply)
        } catch {
          step = poll.step(after: error, now: Self.seconds)
        }
      } catch {
        guard error.need == .time, error.problem != .interrupted else { throw .source(error) }
        step = poll.stepAfterSilence(now: Self.seconds)
      }
    }
  }

  private static var seconds: Int64 { Clock.monotonicNanoseconds() / 1_000_000_000 }
}
