internal import ArgumentParser

/// `magnum queue`: what waits to be sent, and what a person does about it.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "See and change what waits to be sent.",
    discussion: "An entry is named by any part of its name that no other has. See magnum-queue(1).",
    subcommands: [
      QueueList.self, QueueShow.self, QueueFlush.self, QueueRetry.self, QueueEdit.self,
      QueueHold.self, QueueRelease.self, QueueDiscard.self,
    ],
    defaultSubcommand: QueueList.self
  )
}
